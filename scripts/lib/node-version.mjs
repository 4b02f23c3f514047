// @ts-check
const oldest = [20, 19];

/** Says so at once where Node is too old; otherwise some import would fail with a riddle. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  console.error(`Waymark needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
