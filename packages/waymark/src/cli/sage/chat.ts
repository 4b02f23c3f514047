import { createInterface } from 'node:readline';
import { ToolError } from '../../kit/index.ts';
import { type LearnerFlags, type Tutor, withTutor } from './with-tutor.ts';

export interface ChatFlags extends LearnerFlags {
  readonly goal?: string;
  readonly energy?: 'low' | 'medium' | 'high';
  readonly minutes?: number;
  readonly where?: string;
  readonly json?: boolean;
}

interface Line {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A tutoring session from the first line of input to the last. */
export async function chat(flags: ChatFlags): Promise<void> {
  await withTutor(flags, async (tutor) => {
    const conversation = new Conversation(tutor);
    const print = ({ text, data }: Line) =>
      process.stdout.write(flags.json ? `${JSON.stringify(data)}\n` : `${text}\n\n`);
    print(await conversation.start(flags));
    const isTerminal = process.stdin.isTTY === true;
    const lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: isTerminal,
      prompt: isTerminal ? '> ' : '',
    });
    lines.prompt();
    for await (const line of lines) {
      if (/^\s*(?:exit|quit|\/end|\/quit)\s*$/i.test(line)) break;
      if (line.trim() !== '') print(await conversation.hear(line.trim()));
      lines.prompt();
    }
    lines.close();
    print(await conversation.end());
  });
}

class Conversation {
  readonly #tutor: Tutor;
  #session = '';
  #practice: string | undefined;

  constructor(tutor: Tutor) {
    this.#tutor = tutor;
  }

  async start(flags: ChatFlags): Promise<Line> {
    const { sage, circumstances } = this.#tutor;
    const { session, outcome, suggestedGoal } = await sage.tutor.start(circumstances(), flags.goal);
    this.#session = session.id;
    const checkin = { energy: flags.energy, timeAvailable: flags.minutes, environment: flags.where };
    const { adapted } = await sage.tutor.checkin(circumstances(), session.id, checkin);
    const where = outcome ? `Your goal: ${outcome.goal}.` : 'What would you like to be able to do?';
    return {
      text: [where, ...adapted.reasons].join('\n'),
      data: { session: session.id, suggestedGoal, adaptations: { pace: adapted.pace, depth: adapted.depth } },
    };
  }

  async hear(line: string): Promise<Line> {
    try {
      const [command, argument] = line.startsWith('/') ? line.slice(1).split(/\s+/, 2) : [];
      if (command !== undefined) return await this.#obey(command, argument);
      return this.#practice === undefined ? await this.#say(line) : await this.#play(this.#practice, line);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { text: error.message, data: { error: error.code, message: error.message } };
    }
  }

  async #say(message: string): Promise<Line> {
    const { structured } = await this.#tutor.sage.tutor.message(this.#tutor.circumstances(), this.#session, message);
    return { text: structured.response, data: structured };
  }

  async #play(practice: string, message: string): Promise<Line> {
    const { reply, turn, over } = await this.#tutor.sage.practice.message(
      this.#tutor.circumstances(),
      practice,
      message,
    );
    const note = over ? '\n(The scene is over. /end gives you feedback.)' : '';
    return { text: `${reply}${note}`, data: { characterResponse: reply, turnNumber: turn, sceneOver: over } };
  }

  async #obey(command: string, argument: string | undefined): Promise<Line> {
    const { sage, circumstances } = this.#tutor;
    switch (command) {
      case 'practice': {
        const { id, scenario } = await sage.practice.start(circumstances(), { scenarioId: argument });
        this.#practice = id;
        const text = `[${scenario.title}: I play ${scenario.sageRole}. /feedback ends it.]\n\n${scenario.opening}`;
        return { text, data: { practiceSessionId: id, initialMessage: scenario.opening } };
      }
      case 'hint': {
        if (this.#practice === undefined)
          return { text: 'There is no role play going on. Start one with /practice.', data: { hint: null } };
        const { hint } = await sage.practice.hint(circumstances(), this.#practice);
        return { text: hint ?? 'You are doing what there is to do; go on.', data: { hint } };
      }
      case 'feedback': {
        if (this.#practice === undefined) return { text: 'There is no role play going on.', data: {} };
        const feedback = await sage.practice.end(circumstances(), this.#practice);
        this.#practice = undefined;
        const { summary, positives, improvements } = feedback;
        return {
          text: [summary, ...positives.map((line) => `+ ${line}`), ...improvements.map((line) => `- ${line}`)].join(
            '\n',
          ),
          data: { ...feedback },
        };
      }
      case 'progress': {
        const { structured } = await sage.progress(circumstances());
        const { activeOutcome: active, stats } = structured;
        const goal = active
          ? `${active.description}: ${active.conceptsProven} of ${active.conceptsRequired} proven. `
          : '';
        return { text: `${goal}${stats.totalProofs} proofs, streak ${stats.streakDays}.`, data: structured };
      }
      default:
        return {
          text: 'I know /practice [scenario], /hint, /feedback, /progress and /end.',
          data: { error: 'UNKNOWN_COMMAND' },
        };
    }
  }

  async end(): Promise<Line> {
    const { sage, circumstances } = this.#tutor;
    if (this.#practice !== undefined) await sage.practice.end(circumstances(), this.#practice);
    const { summary, nextSteps } = await sage.tutor.end(circumstances(), this.#session);
    const text = [
      `${summary.duration} min, ${summary.conceptsExplored} explored, ${summary.proofsEarned} proven. Next:`,
      ...nextSteps.map((step) => `- ${step}`),
    ].join('\n');
    return { text, data: { summary, nextSteps } };
  }
}
