import { expect, test } from 'vitest';
import { LiveDraft } from '../../src/cli/live-draft.ts';

function drafted(text: string, size: number): string {
  let written = '';
  const draft = new LiveDraft(
    { write: (part: string) => (written += part), rows: 40 },
    { isTty: true, colour: false, columns: 80, links: false },
  );
  for (let at = 0; at < text.length; at += size)
    draft.onEvent({ type: 'text-delta', text: text.slice(at, at + size) });
  draft.onEvent({ type: 'text-withdrawn' });
  return (written.split('\n')[0] ?? '').replace(/ +/gu, ' ');
}

test.each([1, 3, 1000])('a draft names no source before it is checked, in pieces of %i', (size) => {
  expect(drafted('It runs (#zzz777) [9] daily [^2] 【1, 2】 by #abc234 now.', size)).toBe(
    'It runs daily by now.',
  );
  expect(drafted('Set a[0] and (30) to #fff or [words].', size)).toBe(
    'Set a[0] and (30) to #fff or [words].',
  );
});
