import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/core/ref.ts';
import type { IngestReport } from '../../src/ingest/report.ts';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../src/kb.ts';
import { LinkResolver } from '../../src/markdown/link-resolver.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const CORPORA = resolve(import.meta.dirname, '../../corpora');
const there = hasShared('corpora/openvox-docs') && hasShared('corpora/puppet-specifications');

/** Where the site publishes a page of a collection, by its own rule. */
function siteUrl(path: string, anchor: string | undefined): string | undefined {
  const found = /^openvox-docs\/docs\/_([a-z-]+?)_(?:\d+x|latest)\/(.+)\.(?:markdown|md)$/u.exec(path);
  const [, collection = '', page = ''] = found ?? [];
  // Parts of pages and the one file without front matter are no pages of the site.
  if (found === null || /(?:^|\/)_/u.test(page) || page === 'README') return undefined;
  const fragment = anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`;
  return `https://docs.openvoxproject.org/${collection}/latest/${page}.html${fragment}`;
}

describe.skipIf(!there)('the real collections (skipped: no ../shared)', () => {
  const home = temporaryFolder();
  const environment = { KB_HOME: home };
  const docs = join(home, 'copy');
  let report: IngestReport;
  let kb: Kb;

  beforeAll(async () => {
    cpSync(CORPORA, join(home, 'corpora'), { recursive: true });
    cpSync(sharedPath('corpora/openvox-docs'), docs, { recursive: true, verbatimSymlinks: true });
    // A checkout without links has small files in their place: make them what they are in the repository.
    for (const name of readdirSync(join(docs, 'docs'))) {
      const target = `${name.replace(/_latest$/u, '')}_8x`;
      if (!name.endsWith('_latest') || !readdirSync(join(docs, 'docs')).includes(target)) continue;
      rmSync(join(docs, 'docs', name), { recursive: true, force: true });
      symlinkSync(target, join(docs, 'docs', name));
    }
    mkdirSync(join(home, 'none'), { recursive: true });
    const local = new Map([
      ['openvox-docs', docs],
      ['puppet-specifications', sharedPath('corpora/puppet-specifications')],
    ]);
    report = await ingestKb({ kb: 'openvox-docs', cwd: home, environment, local });
    kb = await openKb({ cwd: home, environment });
  }, 60_000);
  afterAll(() => kb?.close());

  test('are indexed whole, none through a link, none failed, and the totals add up', () => {
    const indexed = report.files.filter((file) => file.status === 'indexed').map((file) => file.path);
    expect(indexed.filter((path) => path.startsWith('openvox-docs/')).length).toBeGreaterThanOrEqual(414);
    const language = readdirSync(sharedPath('corpora/puppet-specifications/language'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((file) => /\.(?:md|markdown)$/u.test(file))
      .map((file) => `puppet-specifications/language/${file}`);
    expect(indexed.filter((path) => path.startsWith('puppet-specifications/')).sort()).toEqual(
      language.sort(),
    );
    expect(indexed.filter((path) => /_latest\//u.test(path) && !path.includes('containers_latest'))).toEqual(
      [],
    );
    const { seen, removed, ...counts } = report.totals;
    expect(counts.failed + removed).toBe(0);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(seen);
  });

  test('have links to headings, on their own page or a near one, that all open a section', () => {
    const paths = kb.documents({ path: 'openvox-docs' }).map((one) => one.path);
    const resolver = new LinkResolver(paths);
    const addresses = paths.flatMap((path) => {
      const text = readFileSync(join(docs, path.slice('openvox-docs/'.length)), 'utf8');
      const near = parseDocument(text, { path }).links.filter(({ target }) => !target.startsWith('/'));
      return near.flatMap(({ target, fragment }) => {
        const page = resolver.resolve(path, target);
        return page === undefined ? [] : [formatAddress({ kind: 'path', path: page, anchor: fragment })];
      });
    });
    const broken = addresses.filter((address) => {
      const lookup = kb.open(address);
      return lookup.status !== 'found' || lookup.sections.length !== 1;
    });
    expect(broken).toEqual([]);
    // Links that parts of pages hold are read by another test, which resolves includes.
    expect(addresses.length).toBeGreaterThan(700);
  });

  test('have citations that open the right page and anchor', async () => {
    const queries = [
      'puppet.conf',
      'node ttl',
      'install windows agent',
      'hiera lookup',
      'report retention',
      'facts',
      'bolt plan',
    ];
    const found = await Promise.all(queries.map((text) => kb.search({ text, topK: 20 })));
    const hits = found
      .flatMap((result) => result.hits)
      .filter((hit) => siteUrl(hit.path, hit.anchor) !== undefined);
    expect(hits.length).toBeGreaterThan(60);
    for (const hit of hits) {
      expect(decodeURIComponent(hit.url ?? '')).toBe(decodeURIComponent(siteUrl(hit.path, hit.anchor) ?? ''));
    }
    for (const hit of hits.filter((one) => one.anchor !== undefined)) {
      const lookup = kb.open(`${hit.path}#${hit.anchor}`);
      if (lookup.status !== 'found') throw new Error(`${hit.path}#${hit.anchor} does not open`);
      expect(lookup.sections.map(({ section }) => section.ref)).toEqual([hit.ref]);
    }
  });

  test('have sections whose lines are those of their file', async () => {
    const { hits } = await kb.search({
      text: 'certificate agent server configuration',
      topK: 50,
      maxTokens: 0,
    });
    for (const hit of hits.filter((one) => one.path.startsWith('openvox-docs/') && one.headings.length > 0)) {
      const lines = readFileSync(join(docs, hit.path.slice('openvox-docs/'.length)), 'utf8').split('\n');
      const lookup = kb.open(hit.ref);
      if (lookup.status !== 'found') throw new Error(`${hit.ref} does not open`);
      const [first = ''] = lookup.sections.map(({ section }) => section.markdown.split('\n')[0] ?? '');
      expect(lines[hit.lines.first - 1]).toBe(first);
    }
  });
});
