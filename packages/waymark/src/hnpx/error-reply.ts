import { type InputIssue, InvalidInputError, Reply, type ToolError } from '../kit/index.ts';
import { paragraphModes } from './model.ts';

interface ErrorBody {
  readonly error: true;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Every refusal has the shape the format's specification asks for. */
export function errorReply(error: ToolError): Reply<ErrorBody> {
  const structured =
    error instanceof InvalidInputError
      ? inputError(error)
      : { error: true as const, code: error.code, message: error.message, details: error.details };
  return new Reply({ structured, isError: true });
}

/** Arguments are told in the words of the format: what is absent is missing, what does not fit is invalid. */
function inputError({ issues, message }: InvalidInputError): ErrorBody {
  const missing = issues.find(isMissing);
  if (missing) {
    return {
      error: true,
      code: 'MISSING_ATTRIBUTE',
      message: `Missing required attribute: ${missing.path}`,
      details: { attribute: missing.path },
    };
  }
  const [first] = issues;
  const attribute = first?.path.split('.')[0] ?? '';
  const text = first === undefined ? message : describe(first, attribute);
  return {
    error: true,
    code: 'INVALID_ATTRIBUTE',
    message: text,
    details: { ...(attribute ? { attribute } : {}), issues },
  };
}

function isMissing({ path, message, code }: InputIssue): boolean {
  return code === 'invalid_type' && path !== '' && !path.includes('.') && /received (undefined|null)/.test(message);
}

function describe({ path, message, code }: InputIssue, attribute: string): string {
  if (attribute === 'mode' && code === 'invalid_value') return `mode must be one of: ${paragraphModes.join(', ')}`;
  if (path === '') return message[0]!.toUpperCase() + message.slice(1);
  return `${path}: ${message.replace(/^Invalid input: /, '')}`;
}
