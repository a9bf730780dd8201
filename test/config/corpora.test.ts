import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { citationUrl, compileCitationRules } from '../../src/config/citation-url.ts';
import { loadConfig } from '../../src/config/load.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const project = join(import.meta.dirname, '../..');
const config = loadConfig(join(project, 'corpora/openvox-docs.yaml'));
const rules = compileCitationRules(config.knowledge.citations);
const SITE = 'https://docs.openvoxproject.org';
const GITHUB = 'https://github.com/OpenVoxProject/openvox-docs/blob/master';

describe('corpora/openvox-docs.yaml', () => {
  test('needs no model', () => {
    expect(config).toMatchObject({ name: 'openvox-docs', llm: { provider: 'none' } });
    expect(Object.keys(config.knowledge.sources)).toEqual(['openvox-docs', 'puppet-specifications']);
  });

  test.each([
    [
      'openvox-docs/docs/_openvox_8x/configuration.markdown',
      'x',
      `${SITE}/openvox/latest/configuration.html#x`,
    ],
    ['openvox-docs/docs/_openvox_8x/index.md', undefined, `${SITE}/openvox/latest/index.html`],
    ['openvox-docs/docs/_openvox_8x/yard/index.md', 'x', `${SITE}/openvox/latest/yard/index.html#x`],
    [
      'openvox-docs/docs/_openvox-server_8x/ca-api/v1/a.md',
      'x',
      `${SITE}/openvox-server/latest/ca-api/v1/a.html#x`,
    ],
    [
      'openvox-docs/docs/_openvoxdb_8x/api/query/v4/a.markdown',
      'x',
      `${SITE}/openvoxdb/latest/api/query/v4/a.html#x`,
    ],
    ['openvox-docs/docs/_openbolt_5x/a.md', 'x', `${SITE}/openbolt/latest/a.html#x`],
    ['openvox-docs/docs/_openfact_5x/a.md', 'x', `${SITE}/openfact/latest/a.html#x`],
    ['openvox-docs/docs/_ecosystem_8x/devkit/a.md', 'x', `${SITE}/ecosystem/latest/devkit/a.html#x`],
    [
      'openvox-docs/docs/_openvox-containers_latest/index.md',
      'x',
      `${SITE}/openvox-containers/latest/index.html#x`,
    ],
    ['openvox-docs/docs/background/ssl/a.markdown', 'x', `${SITE}/docs/background/ssl/a.html#x`],
    [
      'openvox-docs/docs/_openvox_8x/_hiera.yaml_v5.md',
      'x',
      `${GITHUB}/docs/_openvox_8x/_hiera.yaml_v5.md#x`,
    ],
    ['openvox-docs/docs/_openvoxdb_8x/README.md', undefined, `${GITHUB}/docs/_openvoxdb_8x/README.md`],
    [
      'puppet-specifications/language/data-types/a.md',
      'x',
      'https://github.com/puppetlabs/puppet-specifications/blob/master/language/data-types/a.md#x',
    ],
  ])('cites %s', (path, anchor, url) => {
    expect(citationUrl(path, anchor, rules)).toBe(url);
  });

  const corpora = sharedPath('corpora');
  const there = hasShared('corpora/openvox-docs/_config.yml');

  test.skipIf(!there)(
    'covers every document of the corpus by the site’s own permalinks (skipped: no ../shared)',
    () => {
      const site = parse(readFileSync(join(corpora, 'openvox-docs/_config.yml'), 'utf8')) as {
        readonly collections: Readonly<Record<string, { readonly permalink: string }>>;
      };
      const documents = config.knowledge.paths
        .flatMap((path) =>
          readdirSync(join(corpora, path), { recursive: true, encoding: 'utf8' }).map(
            (name) => `${path}/${name}`,
          ),
        )
        .filter((path) => /\.(?:markdown|md)$/u.test(path));
      expect(documents.filter((path) => path.startsWith('openvox-docs/')).length).toBeGreaterThanOrEqual(414);
      expect(documents.filter((path) => path.startsWith('puppet-specifications/')).length).toBeGreaterThan(0);
      for (const path of documents) {
        const found = /^openvox-docs\/docs\/_([^/]+)\/(.+)\.(?:markdown|md)$/u.exec(path);
        const published =
          readFileSync(join(corpora, path), 'utf8').startsWith('---') &&
          !posix.basename(path).startsWith('_');
        if (!(found && published)) {
          expect(citationUrl(path, 'x', rules)).toMatch(/^https:\/\/.+#x$/u);
          continue;
        }
        // `latest` is the site's second name for a collection; both collections hold the same files.
        const collection = (found[1] ?? '').replace(/_\d+x$/u, '_latest');
        const permalink = site.collections[collection]?.permalink ?? 'missing';
        const page = permalink.replace(':path', found[2] ?? '').replace(':output_ext', '.html');
        expect(citationUrl(path, 'x', rules)).toBe(`${SITE}${page}#x`);
      }
    },
  );

  test.skipIf(!there)('names every collection there is (skipped: no ../shared)', () => {
    const folders = readdirSync(join(corpora, 'openvox-docs/docs'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `openvox-docs/docs/${entry.name}`);
    expect(config.knowledge.paths).toEqual(expect.arrayContaining(folders));
  });
});
