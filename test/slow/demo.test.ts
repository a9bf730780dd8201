import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('npm run demo prints a cited answer about kb, without a model, a key or any setting', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/demo.mjs')], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {},
  });
  expect(stdout).toContain('$ kb ingest ./docs');
  expect(stdout).toMatch(/^- .+ \[1\]$/mu);
  expect(stdout).toMatch(/^- \[1\] .*Ollama.* — `models\.md:\d+-\d+` \(#[a-z2-7]{6,}\)$/mu);
  expect(stdout).toMatch(/^outcome: answered - mode=extract/mu);
  expect(status).toBe(0);
});
