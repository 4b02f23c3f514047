/** A generated book of about `bytes` bytes: chapters of 5 sequences of 5 beats of 8 paragraphs. Deterministic. */
export function generateBook(bytes) {
  let state = 42;
  const random = (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const words =
    'the a river stone lantern of in her his slow grey morning water door and but never again light – “home” said winter hand'.split(
      ' ',
    );
  const sentence = (count) => {
    const text = Array.from({ length: count }, () => words[random(words.length)]).join(' ');
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  };
  let id = 36 ** 5;
  const nextId = () => (id++).toString(36);
  const parts = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<book id="${nextId()}">\n  <summary>A generated book.</summary>\n`,
  ];
  let size = parts[0].length;
  const add = (text) => {
    parts.push(text);
    size += Buffer.byteLength(text);
  };
  for (let chapter = 1; size < bytes; chapter++) {
    add(`  <chapter id="${nextId()}" title="Chapter ${chapter}" pov="mira">\n    <summary>${sentence(12)}</summary>\n`);
    for (let sequence = 0; sequence < 5; sequence++) {
      add(
        `    <sequence id="${nextId()}" loc="Place ${sequence}" time="night">\n      <summary>${sentence(10)}</summary>\n`,
      );
      for (let beat = 0; beat < 5; beat++) {
        add(`      <beat id="${nextId()}">\n        <summary>${sentence(8)}</summary>\n`);
        for (let paragraph = 0; paragraph < 8; paragraph++) {
          const mode = ['mode="narration"', 'mode="dialogue" char="mira"', 'mode="internal"'][random(3)];
          add(
            `        <paragraph id="${nextId()}" ${mode}>\n          <summary>${sentence(6)}</summary>\n          ${sentence(60)}\n        </paragraph>\n`,
          );
        }
        add('      </beat>\n');
      }
      add('    </sequence>\n');
    }
    add('  </chapter>\n');
  }
  add('</book>\n');
  return parts.join('');
}
