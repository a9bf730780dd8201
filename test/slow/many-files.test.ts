import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Command } from '../cli/support.ts';
import { temporaryFolder } from '../support/folders.ts';

const [FOLDERS, FILES] = [500, 200];

test('a hundred thousand files are indexed, found again unchanged, and taken out when they are gone', async () => {
  const home = temporaryFolder();
  const kb = new Command();
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(home, 'docs', `harbour-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(
        join(path, `pier-${file}.md`),
        `# Pier ${file}\n\nLamp number${folder * FILES + file} shines.\n`,
      );
  }
  const ingest = async (): Promise<{ totals: unknown }> => {
    const ran = await kb.run(['ingest', join(home, 'docs'), '--json'], { cwd: home });
    expect(ran.code, ran.stderr.slice(0, 1000)).toBe(0);
    return JSON.parse(ran.stdout) as { totals: unknown };
  };
  const all = FOLDERS * FILES;
  expect((await ingest()).totals).toMatchObject({ seen: all, indexed: all, failed: 0, skipped: 0 });
  expect((await ingest()).totals).toMatchObject({ seen: all, unchanged: all, indexed: 0 });
  const found = await kb.run(['search', 'lamp number77777', '--json'], { cwd: home });
  expect((JSON.parse(found.stdout) as { results: { path: string }[] }).results[0]?.path).toBe(
    'harbour-388/pier-177.md',
  );
  rmSync(join(home, 'docs/harbour-388'), { recursive: true });
  expect((await ingest()).totals).toMatchObject({
    seen: all - FILES,
    unchanged: all - FILES,
    removed: FILES,
  });
});
