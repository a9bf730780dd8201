/** Where a git source is: on another machine, or a repository of this one. */
export type GitLocation = { readonly kind: 'remote' | 'local' } | { readonly problem: string };

const ALLOWED = 'https://…, ssh://…, git@host:path, file:///… or a path that begins with /, ./ or ../';
const HOST = String.raw`(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9][A-Za-z0-9._-]*)`;
const SSH = new RegExp(String.raw`^ssh://(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?${HOST}(?::\d+)?/.+$`, 'u');
const SCP = new RegExp(`^(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?${HOST}:(?!:)[^-].*$`, 'u');

/**
 * Judges the address of a git source. Git itself runs programs for some addresses (`ext::`, a host that begins with
 * `-`), so only known-good shapes pass. The problem never repeats the address: it may hold a password.
 */
export function locateGit(url: string): GitLocation {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
  if (/[\u0000-\u001f\u007f]/u.test(url)) return { problem: 'must not hold control characters' };
  if (url.startsWith('-')) return { problem: 'must not begin with "-": git would read it as an option' };
  if (/^[A-Za-z0-9+.-]*::/u.test(url)) {
    return { problem: `must not name a transport helper ("transport::"): use ${ALLOWED}` };
  }
  if (/^\.{0,2}\//u.test(url) || url === '.' || url === '..') return { kind: 'local' };
  if (url.includes('://')) return locateUrl(url);
  return SCP.test(url) ? { kind: 'remote' } : { problem: `must be ${ALLOWED}` };
}

function locateUrl(url: string): GitLocation {
  if (url.startsWith('file:///')) return { kind: 'local' };
  if (SSH.test(url)) return { kind: 'remote' };
  const parsed = url.startsWith('https://') && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.hostname.startsWith('-')) return { problem: `must be ${ALLOWED}` };
  if (parsed.username !== '' || parsed.password !== '') {
    return { problem: 'must not hold a user name, token or password: git asks its credential helper' };
  }
  return { kind: 'remote' };
}

/** What is wrong with the name of a branch, tag or commit (git's own rules, git-check-ref-format). */
export function gitRefProblem(ref: string): string | undefined {
  if (ref === '') return 'must not be empty';
  if (ref.startsWith('-')) return 'must not begin with "-": git would read it as an option';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them in names
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[/.@]$|^\/|\/$|\.$|\.lock$|\/\.|^\./u;
  return forbidden.test(ref) ? 'must be the name of a branch or tag, or a full commit hash' : undefined;
}
