import { Command, Option } from 'commander';

/** Flags are checked by commander; the formats are repeated here so that nothing else loads for the help. */
const formats = ['markdown', 'text', 'html', 'epub', 'docx', 'fb2'];

export function createCommand(): Command {
  const command = new Command('hnpx').description('Check, read, export and convert HNPX books.');
  command
    .command('check')
    .description('Find everything wrong with books.')
    .argument('<file...>', 'HNPX files')
    .option('--strict', 'treat warnings as errors')
    .option('--json', 'print the problems as JSON')
    .addHelpText('after', '\nExample:\n  $ waymark hnpx check novel.hnpx\n')
    .action(async (files: string[], flags: { strict?: boolean; json?: boolean }) => {
      const { checkBooks } = await import('./hnpx/check.ts');
      await checkBooks(files, flags);
    });
  command
    .command('render')
    .description('Print a book, or a part of it, for reading.')
    .argument('<file>', 'HNPX file')
    .option('-n, --node <id>', 'only this node, as an outline with text')
    .option('-i, --ids', 'show the ids of paragraphs')
    .option('--outline', 'show chapters, sequences and beats with their ids')
    .option('--no-speakers', 'do not name who speaks')
    .option('--no-headings', 'leave out chapter titles and scene breaks')
    .option('-o, --output <file>', 'write to a file instead')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waymark hnpx render novel.hnpx\n  $ waymark hnpx render novel.hnpx --node k9p3q1\n',
    )
    .action(async (file: string, flags: RenderFlags) => {
      const { renderBook } = await import('./hnpx/render.ts');
      await renderBook(file, flags);
    });
  command
    .command('export')
    .description('Write a book as Markdown, text, HTML, EPUB 3, DOCX or FictionBook 2.')
    .argument('<file>', 'HNPX file')
    .addOption(new Option('-f, --format <format>', 'by default what the output is called').choices(formats))
    .option('-o, --output <file>', 'by default beside the book')
    .option('--title <title>', "by default made from the file's name")
    .option('--author <name>', 'who wrote it')
    .option('--language <tag>', 'such as en or pt-BR', 'en')
    .option('--force', 'replace the output if it exists')
    .addHelpText(
      'after',
      '\nExample:\n  $ waymark hnpx export novel.hnpx -o novel.epub --title "The Ford" --author "A. Writer"\n',
    )
    .action(async (file: string, flags: ExportFlags) => {
      const { exportFile } = await import('./hnpx/export.ts');
      await exportFile(file, flags);
    });
  command
    .command('stats')
    .description('Count words, and what is planned against what is written.')
    .argument('<file>', 'HNPX file')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nExample:\n  $ waymark hnpx stats novel.hnpx\n')
    .action(async (file: string, flags: { json?: boolean }) => {
      const { printStats } = await import('./hnpx/stats.ts');
      await printStats(file, flags);
    });
  command
    .command('outline')
    .description('Print the plan with status and word counts.')
    .argument('<file>', 'HNPX file')
    .addOption(
      new Option('-d, --depth <level>', 'deepest level shown')
        .choices(['book', 'chapter', 'sequence', 'beat', 'paragraph'])
        .default('beat'),
    )
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ waymark hnpx outline novel.hnpx --depth chapter\n')
    .action(async (file: string, flags: OutlineFlags) => {
      const { printOutline } = await import('./hnpx/outline.ts');
      await printOutline(file, flags);
    });
  command
    .command('migrate')
    .description('Convert between the dialects of the format. The old book is kept as a snapshot.')
    .argument('<file>', 'HNPX file')
    .addOption(
      new Option('--to <dialect>', 'summary: paragraph summaries and loc; plain: neither')
        .choices(['summary', 'plain'])
        .default('summary'),
    )
    .addHelpText('after', '\nExample:\n  $ waymark hnpx migrate novel.xml --to summary\n')
    .action(async (file: string, flags: { to: 'summary' | 'plain' }) => {
      const { migrateFile } = await import('./hnpx/migrate.ts');
      await migrateFile(file, flags);
    });
  return command;
}

export interface RenderFlags {
  readonly node?: string;
  readonly ids?: boolean;
  readonly outline?: boolean;
  readonly speakers: boolean;
  readonly headings: boolean;
  readonly output?: string;
}

export interface ExportFlags {
  readonly format?: 'markdown' | 'text' | 'html' | 'epub' | 'docx' | 'fb2';
  readonly output?: string;
  readonly title?: string;
  readonly author?: string;
  readonly language: string;
  readonly force?: boolean;
}

export interface OutlineFlags {
  readonly depth: 'book' | 'chapter' | 'sequence' | 'beat' | 'paragraph';
  readonly json?: boolean;
}
