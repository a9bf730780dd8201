import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileSites, siteUrl } from '../../src/config/site-url.ts';
import type { SiteConfig } from '../../src/core/config.ts';
import { readFrontMatter } from '../../src/markdown/front-matter.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const HOST = 'https://h.example/';
const site = (generator: SiteConfig['generator'], path: string, below = ''): SiteConfig => ({
  generator,
  path,
  baseUrl: HOST + below,
});

/** Sites of the test bed whose pages link to each other by whole addresses. */
const SITES: Readonly<Record<string, readonly SiteConfig[]>> = {
  'advanced-java': [site('docsify', '.')],
  'etcd-website': [site('hugo', 'content/en')],
  'hugo-docs': [site('hugo', 'content/en')],
  jekyll: [site('jekyll', 'docs')],
  'mintlify-docs': [site('mintlify', '.')],
  'react-dev': [site('nextra', 'src/content')],
  'react-native-website': [site('docusaurus', 'docs', 'docs/next/'), site('docusaurus', 'docs', 'docs/')],
  'vue-docs-ja': [site('vitepress', 'src')],
};

const LINK = /\](?:\(| *: +)(?<address>\/(?!\/)[^)\s#{]*)(?=[)\s#])/gu;
const ASSET = /\.(?:png|svg|jpe?g|gif|zip|pdf|xml|ya?ml|json|txt|css|js|webp)$/iu;

describe.skipIf(!hasShared('testbed'))('pages of real sites (skipped: no ../shared)', () => {
  test.each(Object.entries(SITES))('of %s are where their authors link to', (name, sites) => {
    const texts = readPages(sharedPath('testbed', name));
    const pages = publishedPages(texts, sites);
    const ends = new Set([...texts.keys()].map(lastTwo));
    // The test bed is an extract: only pages that may be there count.
    const links = linkedPages(texts).filter((page) => pages.has(page) || ends.has(lastTwo(page)));
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((page) => !pages.has(page))).toEqual([]);
  });
});

function publishedPages(texts: ReadonlyMap<string, string>, sites: readonly SiteConfig[]): Set<string> {
  const urls = compileSites(sites, ['']).flatMap((compiled) =>
    [...texts].map(([path, text]) => siteUrl(path, readFrontMatter(text).metadata, undefined, compiled)),
  );
  return new Set(urls.flatMap((url) => (url === undefined ? [] : [comparable(url.replace('#/', ''))])));
}

function linkedPages(texts: ReadonlyMap<string, string>): string[] {
  return [...texts.values()]
    .flatMap((text) => [...text.matchAll(LINK)].map(({ groups }) => comparable(groups?.['address'] ?? '')))
    .filter((page) => !ASSET.test(page));
}

function readPages(folder: string): Map<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((file) => file.isFile() && /\.(?:md|mdx|markdown)$/u.test(file.name));
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/** A page may be written with or without extension and slash at its end. */
function comparable(address: string): string {
  const { pathname } = new URL(address, HOST);
  return decodeURI(pathname)
    .replace(/(?:index)?\.(?:html|mdx?)$/u, '')
    .replace(/\/$/u, '')
    .toLowerCase();
}

function lastTwo(path: string): string {
  const bare = path
    .toLowerCase()
    .replace(/\.(?:md|mdx|markdown)$/u, '')
    .replace(/\/(?:_index|index|readme)$/u, '');
  return bare.split('/').slice(-2).join('/');
}
