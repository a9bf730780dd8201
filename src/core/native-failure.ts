import { KbError } from './errors.ts';

const NAME = 'better-sqlite3';

/**
 * The error of a SQLite module that cannot be loaded: built for another version of Node, not built, not readable, not
 * there. Undefined for any other error. Imports nothing of that module, so that it can tell of its absence.
 */
export function nativeFailure(error: unknown): KbError<'sqlite-unavailable'> | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const text = error.message;
  const built = /NODE_MODULE_VERSION (\d+)[\s\S]*NODE_MODULE_VERSION (\d+)/u.exec(text);
  if (code === 'ERR_DLOPEN_FAILED' && built !== null) {
    const reason = `it was built for another version of Node (ABI ${built[1]}; this Node ${process.versions.node} wants ${built[2]})`;
    return unavailable(reason, 'rebuild', error);
  }
  if (code === 'ERR_DLOPEN_FAILED') return unavailable(text.split('\n')[0] ?? text, 'rebuild', error);
  if (/^Could not locate the bindings file/u.test(text))
    return unavailable('it has not been built, or may not be read', 'rebuild', error);
  if (/^(?:ERR_)?MODULE_NOT_FOUND$/u.test(code) && text.includes(NAME))
    return unavailable('it is not installed', 'install', error);
  return undefined;
}

function unavailable(
  reason: string,
  remedy: 'rebuild' | 'install',
  cause: Error,
): KbError<'sqlite-unavailable'> {
  const command = remedy === 'rebuild' ? `npm rebuild ${NAME}` : 'npm ci';
  return new KbError(
    'sqlite-unavailable',
    `the SQLite module ${NAME} cannot be loaded: ${reason}`,
    { reason },
    { hint: `in the folder of kb: ${command}`, cause },
  );
}
