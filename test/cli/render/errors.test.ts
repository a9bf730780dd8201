import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfOutcome, renderError } from '../../../src/cli/render/errors.ts';
import { type ErrorCode, type ErrorDetails, KbError } from '../../../src/core/errors.ts';
import { acts, PIPE, RICH, shown } from './support.ts';

const invalid = new KbError(
  'config-invalid',
  'kb.yaml is not a knowledge base',
  { file: 'kb.yaml', problems: ['line 3: unknown key "pahts"', 'line 9: top_k must be\na number'] },
  { hint: 'did you mean "paths"?' },
);

describe('an error', () => {
  test('is its message, its facts and the next step', () => {
    expect(renderError(invalid, PIPE, {})).toBe(
      [
        'kb: kb.yaml is not a knowledge base',
        '  - line 3: unknown key "pahts"',
        '  - line 9: top_k must be',
        '  a number',
        'try: did you mean "paths"?',
      ].join('\n'),
    );
    expect(shown(renderError(new KbError('aborted', 'x', {}), RICH, {}))).toBe('{31}kb:{39} interrupted: x');
    const stopped = new KbError('aborted', 'interrupted; nothing lost', {}, { hint: 'kb ingest docs' });
    expect(renderError(stopped, PIPE, {})).toBe('kb: interrupted; nothing lost\ntry: kb ingest docs');
    expect(renderError(new DOMException('', 'AbortError'), PIPE, {})).toBe('kb: interrupted');
  });

  test('does not say twice what the message or the hint says', () => {
    const details = { name: 'opnvox', known: ['openvox-docs', 'handbook'] };
    expect(renderError(new KbError('knowledge-base-unknown', 'no "opnvox"', details), PIPE, {})).toBe(
      'kb: no "opnvox"\n  known: openvox-docs, handbook',
    );
    const hint = 'kb ingest openvox-docs';
    expect(
      renderError(new KbError('knowledge-base-unknown', 'no "opnvox"', details, { hint }), PIPE, {}),
    ).toBe('kb: no "opnvox"\n  known: handbook\ntry: kb ingest openvox-docs');
    const unknown = new KbError('address-unknown', 'no section abc', { address: 'abc', nearest: ['a.md#b'] });
    expect(renderError(unknown, PIPE, {})).toBe('kb: no section abc\n  nearest: a.md#b');
  });

  test('that is a bug says how to report it, with the stack only when asked for', () => {
    const bug = new TypeError('x is not a function', { cause: new Error('the\u001b[31m cause') });
    const report =
      'This is a bug in kb. Run the command again with KB_DEBUG=1 and report what it prints, with kb --version.';
    expect(renderError(bug, PIPE, {})).toBe(`kb: internal error: TypeError: x is not a function\n${report}`);
    expect(renderError(bug, PIPE, { KB_DEBUG: '0' })).not.toContain(' at ');
    const traced = renderError(bug, PIPE, { KB_DEBUG: '1' });
    expect(traced).toContain('errors.test.ts');
    expect(traced).toContain('caused by: Error: the[31m cause');
    expect(renderError(new KbError('internal', 'impossible', {}), PIPE, {})).toBe(
      `kb: internal error: impossible\n${report}`,
    );
    expect(renderError(invalid, PIPE, { KB_DEBUG: '1' })).toContain('errors.test.ts');
  });

  test('is rendered whatever was thrown', () => {
    const circular = new Error('round');
    circular.cause = circular;
    const thrown: unknown[] = [
      undefined,
      null,
      'text\u001b[2J',
      Object.create(null),
      Symbol('s'),
      circular,
      new Error(''),
    ];
    for (const error of thrown) {
      expect(renderError(error, PIPE, { KB_DEBUG: '1' })).toMatch(/^kb: internal error: ./u);
      expect(acts(renderError(error, RICH, { KB_DEBUG: '1' }))).toBe(false);
      expect(exitCodeOf(error)).toBe(70);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, hint) => {
        const error = new KbError('config-invalid', text, { file: text, problems: [hint] }, { hint });
        expect(acts(renderError(error, RICH, {}))).toBe(false);
      }),
    );
  });
});

describe('exit codes', () => {
  const CODES: Record<ErrorCode, number> = {
    'usage-invalid': 2,
    'config-invalid': 2,
    'config-missing': 2,
    'knowledge-base-unknown': 2,
    'source-unavailable': 3,
    'root-unreadable': 3,
    'removal-refused': 3,
    'address-unknown': 1,
    'index-missing': 3,
    'index-outdated': 3,
    'index-locked': 3,
    'index-too-new': 3,
    'index-corrupt': 3,
    'index-foreign': 3,
    'index-unwritable': 3,
    'sqlite-unavailable': 3,
    'embedder-changed': 3,
    'model-unreachable': 4,
    'model-rejected': 4,
    'model-overflow': 4,
    'model-timeout': 4,
    'model-no-tools': 4,
    'model-malformed': 4,
    'embedder-unreachable': 4,
    'embedder-timeout': 4,
    'embedder-rejected': 4,
    'embedder-malformed': 4,
    'embedder-missing': 4,
    aborted: 130,
    internal: 70,
  };

  test.each(Object.entries(CODES))('%s ends with %i', (code, expected) => {
    const details = {} as ErrorDetails[ErrorCode];
    expect(exitCodeOf(new KbError(code as ErrorCode, 'x', details))).toBe(expected);
  });

  test('an abort that nobody turned into an error of kb is an interruption', () => {
    expect(exitCodeOf(AbortSignal.abort().reason)).toBe(130);
  });

  test.each([
    ['answered', false, 3, 0],
    ['answered', true, 0, 0],
    ['answered', true, 1, 1],
    ['not-found', false, 0, 1],
    ['out-of-budget', true, 1, 5],
    ['refused', false, 0, 4],
    ['aborted', false, 0, 130],
  ] as const)('%s (strict %s, %i unsupported) ends with %i', (outcome, strict, unsupported, expected) => {
    expect(exitCodeOfOutcome(outcome, strict, unsupported)).toBe(expected);
  });
});
