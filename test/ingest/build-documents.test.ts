import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuildJob, Built } from '../../src/ingest/build-document.ts';
import { buildDocuments, type HelperOptions } from '../../src/ingest/build-documents.ts';
import { temporaryFolder } from '../support/folders.ts';

const HELPER = resolve(import.meta.dirname, '../../dist/build-helper.cjs');

/** Pages of every fate: sections, an include, front matter, no words, not text, not there. */
function jobs(count: number): BuildJob[] {
  const boundary = temporaryFolder();
  mkdirSync(join(boundary, 'parts'));
  writeFileSync(join(boundary, 'parts/p.md'), 'words of a part\n');
  return Array.from({ length: count }, (_, at) => {
    const path = `page-${at}.md`;
    const file = join(boundary, path);
    if (at % 10 !== 9) writeFileSync(file, textOf(at));
    return { path, file, boundary, rule: at % 3 === 0 ? 'kramdown' : 'github', asksSpelling: at % 2 === 0 };
  });
}

function textOf(at: number): string {
  if (at % 10 === 8) return 'a\0b\0\0';
  if (at % 10 === 7) return '<!-- nothing -->\n';
  return `---\ntitle: Page ${at}\n__proto__: x\n---\n# A -- b ${at}\n\n{% include_relative parts/p.md %}\n\n[x](#a----b)\n`;
}

async function all(wanted: readonly BuildJob[], options: HelperOptions): Promise<Built[]> {
  const built: Built[] = [];
  for await (const [position, one] of buildDocuments(wanted, options)) {
    expect(position).toBe(built.length);
    built.push(one);
  }
  return built;
}

describe('documents are built', () => {
  const wanted = jobs(150);
  const alone = all(wanted, { helpers: 0 });

  test.each([1, 3])('by %i helpers as by none, in the order asked for', async (helpers) => {
    expect(await all(wanted, { helpers, script: HELPER })).toEqual(await alone);
    const fates = (await alone).map((one) => (one.status === 'built' ? one.document.status : one.status));
    expect(new Set(fates)).toEqual(new Set(['indexed', 'empty', 'failed']));
  });

  test.each([
    [
      'ends at its first task',
      "require('node:worker_threads').parentPort.once('message', () => process.exit(1))",
    ],
    [
      'fails at its first task',
      "require('node:worker_threads').parentPort.once('message', () => { throw 1 })",
    ],
    ['does not start', 'not a script'],
  ])('also when a helper %s', async (_, source) => {
    const script = join(temporaryFolder(), 'helper.cjs');
    writeFileSync(script, source);
    expect(await all(wanted, { helpers: 2, script })).toEqual(await alone);
  });

  test('without a helper where its script is missing, and no documents at all', async () => {
    expect(await all(wanted, { helpers: 1, script: join(temporaryFolder(), 'gone.cjs') })).toEqual(
      await alone,
    );
    expect(await all([], { helpers: 1, script: HELPER })).toEqual([]);
  });

  test('no further than they are asked for', async () => {
    for await (const [position] of buildDocuments(wanted, { helpers: 2, script: HELPER })) {
      if (position === 3) break;
    }
  });
});
