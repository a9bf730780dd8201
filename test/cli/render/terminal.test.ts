import { describe, expect, test } from 'vitest';
import { link, safeUrl, stylesOf, terminalOf } from '../../../src/cli/render/terminal.ts';
import { PIPE, RICH, shown, WRONG_PIPE } from './support.ts';

const TTY = { isTTY: true, columns: 120 };
const looks = (environment: Record<string, string>, stream: object = TTY) => {
  const { isTty, colour, links } = terminalOf(stream, environment);
  return `${isTty ? 'tty' : 'pipe'}${colour ? ' colour' : ''}${links ? ' links' : ''}`;
};

describe('a terminal', () => {
  test.each([
    [{}, 'tty colour links'],
    [{ TERM: 'xterm-256color' }, 'tty colour links'],
    [{ NO_COLOR: '1' }, 'tty'],
    [{ NO_COLOR: '' }, 'tty colour links'],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, 'tty'],
    [{ FORCE_COLOR: '0' }, 'tty'],
    [{ TERM: 'dumb' }, 'tty'],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, 'tty colour links'],
    [{ CI: 'true' }, 'pipe'],
    [{ CI: 'false' }, 'tty colour links'],
    [{ CI: '1', FORCE_COLOR: '3' }, 'tty colour links'],
    [{ KB_HYPERLINKS: '0' }, 'tty colour'],
    [{ NO_COLOR: '1', KB_HYPERLINKS: '1' }, 'tty links'],
    [{ FORCE_HYPERLINK: '0' }, 'tty colour'],
    [{ FORCE_HYPERLINK: '0', KB_HYPERLINKS: '1' }, 'tty colour links'],
  ])('with %o is %s', (environment, expected) => {
    expect(looks(environment)).toBe(expected);
  });

  test('that is a pipe takes no escapes whatever the environment says', () => {
    expect(looks({ FORCE_COLOR: '1', KB_HYPERLINKS: '1', FORCE_HYPERLINK: '1' }, {})).toBe('pipe');
    expect(stylesOf(WRONG_PIPE).bold('x')).toBe('x');
    expect(link(WRONG_PIPE, 'x', 'https://example.org/')).toBe('x');
  });

  test('has the width it reports, then COLUMNS, then 80', () => {
    expect(terminalOf(TTY, { COLUMNS: '70' }).columns).toBe(120);
    expect(terminalOf({ isTTY: true, columns: 0 }, { COLUMNS: '70' }).columns).toBe(70);
    expect(terminalOf({}, { COLUMNS: 'wide' }).columns).toBe(80);
  });
});

describe('a link', () => {
  test('opens its address where the terminal can, and is its text elsewhere', () => {
    expect(shown(link(RICH, 'docs', 'https://example.org/a'))).toBe('<a https://example.org/a>docs</a>');
    expect(link(PIPE, 'docs', 'https://example.org/a')).toBe('docs');
  });

  test('never lets a control character of text or address through', () => {
    expect(shown(link(RICH, 'a\u001b[31mb\u0007', 'https://e.org/\u001b\\x'))).toBe(
      '<a https://e.org/%1B/x>a[31mb</a>',
    );
    expect(link(RICH, 'a', 'https://e.org/'.padEnd(3000, 'x'))).toBe('a');
  });

  test.each([
    ['https://example.org/ä b?q=ü#ö', 'https://example.org/%C3%A4%20b?q=%C3%BC#%C3%B6'],
    ['HTTP://Example.org', 'http://example.org/'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['file:///tmp/a b.md', 'file:///tmp/a%20b.md'],
    ['javascript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['vbscript:x', undefined],
    ['../guide.md', undefined],
    ['#anchor', undefined],
    ['//example.org/x', undefined],
    ['http://[', undefined],
    ['', undefined],
  ])('to %s goes to %s', (url, expected) => {
    expect(safeUrl(url)).toBe(expected);
  });
});
