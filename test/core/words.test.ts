import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningOf, fold, stem, words } from '../../src/core/words.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** What FTS5 itself makes of texts that are already folded: its tokens, in order, text by text. */
function ftsTokens(texts: readonly string[]): string[][] {
  const database = new Database(':memory:');
  try {
    database.exec(`
      CREATE VIRTUAL TABLE t USING fts5 (body, tokenize = 'porter unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE v USING fts5vocab (t, 'instance');`);
    const insert = database.prepare('INSERT INTO t (rowid, body) VALUES (?, ?)');
    database.transaction(() => {
      for (const [row, text] of texts.entries()) insert.run(row + 1, text);
    })();
    const tokens: string[][] = texts.map(() => []);
    const rows = database.prepare('SELECT doc, offset, term FROM v').all() as {
      doc: number;
      offset: number;
      term: string;
    }[];
    for (const { doc, offset, term } of rows) {
      const list = tokens[doc - 1];
      if (list !== undefined) list[offset] = term;
    }
    return tokens;
  } finally {
    database.close();
  }
}

function ourTokens(text: string): string[] {
  return words(fold(text)).map(stem);
}

function expectAgreement(texts: readonly string[]): void {
  const theirs = ftsTokens(texts.map(fold));
  for (const [position, text] of texts.entries()) {
    expect(ourTokens(text), JSON.stringify(text)).toEqual(theirs[position]);
  }
}

/** SQLite stops a text at its first NUL; lone surrogates have no UTF-8. Neither is in a decoded file's text. */
function storable(text: string): string {
  return text.replaceAll('\0', ' ').replace(/\p{Surrogate}/gu, '');
}

test('a word begins as its stem tells, so that all its forms are found from that', () => {
  const ends =
    's es ed ing ies y ly er ity ness ation ational ization bility logy able eed ement ful ive al ousness';
  const word = fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...'aeiouybdlnprstzж'), minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom('', ...ends.split(' ')), { maxLength: 3 }),
    )
    .map(([base, all]) => base + all.join(''));
  fc.assert(
    fc.property(word, (one) => one.startsWith(beginningOf(stem(one)))),
    { numRuns: 5000 },
  );
});

describe('the words of a text are those FTS5 finds in it', () => {
  test('for English words in every form', () => {
    const bases =
      'configure run depend relational adjust happy agree control fly cry national operate use be';
    const ends = [
      '',
      's',
      'es',
      'ed',
      'ing',
      'ation',
      'ational',
      'fulness',
      'ly',
      'ement',
      'ies',
      "'s",
      'ity',
    ];
    expectAgreement(bases.split(' ').flatMap((base) => ends.map((end) => base + end)));
  });

  test('for words whose ending leaves a doubled y', () => {
    const bases = ['', 'a', 't', 'y', 'yy', 'ly', 'syz', 'ж'].map((base) => `${base}yy`);
    const ends = ['', 'ed', 'ing', 'eds', 'ings', 'eed', 'es', 's', 'edness'];
    expectAgreement(bases.flatMap((base) => ends.map((end) => base + end)));
    expect(stem('yyed')).toBe('y');
    expect(stem('ayyed')).toBe('ai');
  });

  test('for names, numbers and marks of code', () => {
    expectAgreement([
      '--no-daemonize',
      'puppet_agent::service',
      '38.101 and 1,024',
      'C++ and C# and f#, c+, c++11, libc++',
      'snake_case_name kebab-case-name camelCaseName',
      "it's the agent’s",
      'a'.repeat(70),
      `${'é'.repeat(33)}ing`,
    ]);
  });

  test('for accents, dotted i, full width, ligatures and other scripts', () => {
    const texts = [
      'gâteau crème brûlée',
      'İstanbul DIŞ ığdır',
      'ﬁle ＡＢＣ１２３ Ｃ＋＋',
      'Straße ΣΊΣΥΦΟΣ ς',
      'Ёлка й ў',
      'สวัสดีชาวโลก',
      '知识库检索 東京タワー がぎぐ',
      '데이터베이스는',
      'हिन्दी में खोज',
      'مَرْحَبًا بالعالم',
      'שָׁלוֹם',
      'zero\u200bwidth soft\u00adhyphen',
      'x² ½ Ⅷ ①',
    ];
    expectAgreement([...texts, ...texts.map((text) => text.normalize('NFD'))]);
  });

  test('for random words of any script', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(...'abcdeilnstyzé'), maxLength: 14 }),
    );
    fc.assert(
      fc.property(fc.array(word.map(storable), { minLength: 20, maxLength: 60 }), (texts) => {
        expectAgreement(texts);
      }),
      { numRuns: 60 },
    );
  });

  test('for every character of Unicode inside a word, signs newer than FTS5 too', () => {
    const texts: string[] = [];
    for (let code = 1; code < 0x1_fb00; code += 1) {
      const text = `a${String.fromCodePoint(code)}b`;
      // Of the large blocks of equals one character in a hundred will do.
      if (
        !/\p{Surrogate}/u.test(text) &&
        (code % 100 === 0 || !/[\p{Script=Han}\p{Script=Hangul}\p{Co}\p{Cn}]/u.test(text))
      )
        texts.push(text);
    }
    expect(texts.length).toBeGreaterThan(20_000);
    const theirs = ftsTokens(texts.map(fold)).map((tokens) => tokens.join(' '));
    expect(texts.map((text) => ourTokens(text).join(' '))).toEqual(theirs);
  });

  test.skipIf(!hasShared('corpora/openvox-docs'))(
    'for every word of a real collection (skipped: no ../shared)',
    () => {
      const folder = sharedPath('corpora');
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:md|markdown)$/u.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8'));
      const distinct = [...new Set(texts.flatMap((text) => words(fold(text))))].map(storable);
      expect(distinct.length).toBeGreaterThan(10_000);
      const theirs = ftsTokens(distinct).map((tokens) => tokens.join(' '));
      expect(distinct.map(stem)).toEqual(theirs);
    },
  );
});

describe('folding', () => {
  test.each(['🧪testing', '🤖 testing', '“testing”', '…testing—', 'testing\u2028', '‹testing›'])(
    'finds the word of %s beside its signs',
    (text) => {
      expect(words(fold(text))).toEqual(['testing']);
      expect(ftsTokens([fold(text)])).toEqual([['test']]);
    },
  );

  test.each([
    ['gateau', 'gâteau'],
    ['gateau', 'gâteau'.normalize('NFD')],
    ['istanbul', 'İstanbul'],
    ['istanbul', 'İstanbul'.normalize('NFD')],
    ['abc123', 'ＡＢＣ１２３'],
    ['file', 'ﬁle'],
  ])('makes one word, %s, of %s', (folded, text) => {
    expect(words(fold(text))).toEqual([folded]);
  });

  test('keeps C, C++ and C# apart and lets each be found by its name', () => {
    expect(words(fold('C++'))).toEqual(['c', 'cplusplus']);
    expect(words(fold('C#'))).toEqual(['c', 'csharp']);
    expect(words(fold('C'))).toEqual(['c']);
    expect(words(fold('Ｃ＋＋'))).toEqual(['c', 'cplusplus']);
  });

  test.each([
    ['知识库', ['知识', '识库']],
    ['데이터', ['데이', '이터']],
    ['ไทย', ['ไท', 'ทย']],
    ['タワー', ['タワ', 'ワー']],
    ['猫', ['猫']],
    ['Puppet代理服务', ['puppet', '代理', '理服', '服务']],
  ])('cuts %s, written without blanks, into pairs', (text, pairs) => {
    expect(words(fold(text))).toEqual(pairs);
  });

  test('finds a word inside an unspaced run by all of its pairs', () => {
    const text = new Set(words(fold('打开知识库检索设置')));
    for (const pair of words(fold('知识库'))) expect(text.has(pair)).toBe(true);
  });

  test('is the same for both ways Unicode spells a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(words(fold(text.normalize('NFD')))).toEqual(words(fold(text.normalize('NFC'))));
      }),
      { numRuns: 500 },
    );
  });

  test('of what is folded changes no word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = words(fold(text));
        // Pairs of pairs would be the pairs again: joined by blanks they are runs of their own.
        expect(words(fold(once.join(' ')))).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });
});
