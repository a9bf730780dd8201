import type { Terminal } from '../../../src/cli/render/terminal.ts';

/** A modern terminal, one without colours, and a pipe. */
export const RICH: Terminal = { isTty: true, colour: true, columns: 60, links: true };
export const PLAIN: Terminal = { isTty: true, colour: false, columns: 60, links: false };
export const PIPE: Terminal = { isTty: false, colour: false, columns: 80, links: false };
/** A pipe that somebody described wrongly: still no escapes. */
export const WRONG_PIPE: Terminal = { isTty: false, colour: true, columns: 80, links: true };

/** Escapes the renderer itself writes: styles, and links to addresses of printable ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
const OWN_STYLE = /\u001b\[(?:1|2|3|4|9|22|23|24|29|31|33|36|39)m/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const OWN_LINK = /\u001b\]8;;(?:(?:https?|file|mailto):[\u0021-\u007e]+)?\u001b\\/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const LINK = /\u001b\]8;;([^\u001b]*)\u001b\\/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const STYLE = /\u001b\[(\d+)m/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

/** The text as it is seen. */
export function seen(painted: string): string {
  return painted.replace(OWN_STYLE, '').replace(OWN_LINK, '');
}

/** True when something of the text beyond our own escapes could act on a terminal. */
export function acts(painted: string): boolean {
  return CONTROL.test(seen(painted));
}

/** True when on each line every link that is opened is closed before the next one. */
export function linksAreClosed(painted: string): boolean {
  return painted.split('\n').every((line) => {
    const targets = Array.from(line.matchAll(LINK), (found) => found[1] ?? '');
    return (
      targets.every((target, index) => (target === '') === (index % 2 === 1)) && targets.length % 2 === 0
    );
  });
}

/** Escapes written so that a person can read them in a test. */
export function shown(painted: string): string {
  return painted
    .replaceAll(LINK, (_, target: string) => (target === '' ? '</a>' : `<a ${target}>`))
    .replaceAll(STYLE, '{$1}');
}
