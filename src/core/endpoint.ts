/** Hosts that never leave this machine. `URL` has already folded spellings such as `127.1` or `0x7f000001`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);
}

/**
 * What is wrong with the address of a server, as the end of a sentence; undefined when it may be used. The text itself
 * is never repeated: it may hold a password.
 */
export function endpointProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || /\s/u.test(text)) return 'must be a full URL such as https://example.org/v1';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password; a key is named with api_key_env';
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return `must use https: plain http is accepted only for this machine (127.0.0.0/8, ::1, localhost), not ${url.hostname}`;
  }
  return undefined;
}
