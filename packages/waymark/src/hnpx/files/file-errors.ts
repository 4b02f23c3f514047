import { ToolError } from '../../kit/index.ts';

/** The name of a system error, such as ENOENT; undefined for every other kind of error. */
export function errnoOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  return typeof code === 'string' && typeof errno === 'number' ? code : undefined;
}

export function fileNotFound(path: string): ToolError {
  return new ToolError('FILE_NOT_FOUND', `File not found: ${path}`, { file_path: path });
}

export function alreadyExists(path: string): ToolError {
  return new ToolError('FILE_EXISTS', `File already exists at ${path}`, { file_path: path });
}

export function cannotCreate(path: string, why: { errno?: string; reason?: string } = {}): ToolError {
  const message = `Cannot create file at ${path}${why.reason ? `: ${why.reason}` : ''}`;
  return new ToolError('INVALID_PATH', message, { file_path: path, ...why });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the path has too many symbolic links',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would become too large for the system',
  EIO: 'the device failed',
};

const outOfRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE']);

/** A refusal of the file system, told with the path the caller gave; undefined for anything else. */
export function fileError(error: unknown, path: string, verb: 'read' | 'write'): ToolError | undefined {
  const errno = errnoOf(error);
  if (errno === undefined) return undefined;
  if (errno === 'ENOENT') return fileNotFound(path);
  const code = outOfRoom.has(errno) ? 'WRITE_FAILED' : 'INVALID_PATH';
  return new ToolError(code, `Cannot ${verb} ${path}: ${reasons[errno] ?? 'the system refused'}`, {
    file_path: path,
    errno,
  });
}
