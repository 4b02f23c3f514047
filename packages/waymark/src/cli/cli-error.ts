/** A mistake or failure told to a person in one line. 1: it was tried and failed. 2: the command itself was wrong. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
