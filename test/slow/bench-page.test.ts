import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../src/bench/html/page.ts';
import { METRICS } from '../../src/bench/metrics.ts';
import type { BenchResult, TierResult } from '../../src/bench/result.ts';
import { perMetric } from '../../src/bench/summarise.ts';
import { temporaryFolder } from '../support/folders.ts';

/** A Chromium of this machine; none is fetched. */
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = BROWSERS.find(existsSync);
const EVIL =
  '<img src="https://example.org/x.png" onerror="document.title=1"><script>document.title=2</script>';
const LONG = `${'averyveryverylongword'.repeat(30)} ${EVIL}`;

describe.skipIf(executablePath === undefined)(
  'the page of kb bench in Chromium (skipped where there is none)',
  () => {
    test.each([
      [400, true],
      [400, false],
      [1400, true],
    ])(
      '%i pixels wide, scripts on: %s: no request, no error, nothing cut off, text that can be read',
      async (width, javaScriptEnabled) => {
        const file = join(temporaryFolder(), 'bench.html');
        writeFileSync(file, renderPage(result()));
        const browser = await chromium.launch({
          executablePath: executablePath ?? '',
          args: ['--no-sandbox'],
        });
        try {
          const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled });
          const page = await context.newPage();
          const problems: string[] = [];
          page.on('console', (message) => problems.push(message.text()));
          page.on('pageerror', (error) => problems.push(String(error)));
          page.on('request', (request) => {
            if (!/^(?:file|data):/u.test(request.url())) problems.push(request.url());
          });
          await page.goto(pathToFileURL(file).href);
          await page.locator('summary').first().click();
          expect(await page.locator('details[open] ol').first().isVisible()).toBe(true);
          expect(await page.title()).toBe(`kb bench: ${EVIL}`);
          expect(problems).toEqual([]);
          const body = await page.locator('body').boundingBox();
          expect(body?.width ?? 0).toBeLessThanOrEqual(width);
          const scale = ((await page.locator('svg').first().boundingBox())?.width ?? 0) / 360;
          // The smallest text of a plot is 11.5 units high.
          expect(scale * 11.5).toBeGreaterThan(11);
          if (javaScriptEnabled)
            expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        } finally {
          await browser.close();
        }
      },
    );
  },
);

function result(): BenchResult {
  const interval = { mean: 0.5, low: 0.4, high: 0.6 };
  const shares = (value: number) =>
    Object.fromEntries(METRICS.map((metric) => [metric, value])) as TierResult['answers'][number]['metrics'];
  const tier = (name: string, value: number): TierResult => ({
    tier: name,
    groups: ['all', LONG].map((kind) => ({
      kind,
      questions: 2,
      metrics: perMetric(() => interval),
      differences: perMetric(() => interval),
    })),
    recall_by_rank: [0.2, 0.5, 1],
    latency: { p50: 1, p95: 2, p99: 3, samples: [1, 2, 3] },
    embedding_calls: 2,
    answers: ['q1', 'q2'].map((question) => ({
      question,
      metrics: shares(value),
      found: [{ id: LONG, score: 1, grade: 1, ref: 'abcdef', label: LONG }],
    })),
  });
  return {
    format: 1,
    kb_version: '0',
    created: '2026-01-01T00:00:00.000Z',
    machine: { platform: 'linux-x64', cpu: 'x', cores: 2, memory_gb: 8, node: '20' },
    settings: { level: 'section', depth: 10, top_k: 5, fusion: 'rrf', resamples: 10 },
    dataset: { name: EVIL, hash: 'x', questions: 2, unjudged: 0, missing: [] },
    index: {
      name: 'x',
      identity: 'x',
      documents: 1,
      sections: 1,
      chunks: 1,
      bytes: 1,
      vectors: 0,
      build_ms: null,
    },
    questions: ['q1', 'q2'].map((id) => ({
      id,
      kind: LONG,
      question: `${id} ${LONG}`,
      relevant: [{ id: LONG, grade: 1 }],
    })),
    tiers: [tier('lexical', 0.2), tier('vector', 0.6), tier('hybrid', 0.4)],
  };
}
