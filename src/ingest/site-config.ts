import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnchorRule } from '../core/config.ts';
import { isInside } from './paths.ts';

interface SiteFile {
  readonly name: RegExp;
  /** The rule, where the file's text does not say it is another generator's; undefined then. */
  readonly rule: AnchorRule | ((text: string) => AnchorRule | undefined);
}

/** The table of contents is told to make its ids by pymdownx, not some plugin. */
const UNICODE_TOC =
  /^[ \t]*-?[ \t]*["']?toc["']?:[ \t]*\n(?:[ \t]+.*\n){0,6}?[ \t]+slugify:.*pymdownx\.slugs/mu;

/** Files by which a generator knows the root of its site. */
const SITE_FILES: readonly SiteFile[] = [
  { name: /^mkdocs\.ya?ml$/u, rule: (text) => (UNICODE_TOC.test(text) ? 'pymdownx' : 'mkdocs') },
  { name: /^(?:zensical\.toml)$/u, rule: 'mkdocs' },
  { name: /^hugo\.(?:toml|ya?ml|json)$/u, rule: hugoRule },
  { name: /^config\.(?:toml|ya?ml|json)$/u, rule: plainConfigRule },
  { name: /^_config\.(?:yml|yaml|toml)$/u, rule: 'kramdown' },
  { name: /^docusaurus\.config\.[cm]?[jt]s$/u, rule: 'github' },
  { name: /^astro\.config\.[cm]?[jt]s$/u, rule: 'github' },
  { name: /^(?:docs|mint)\.json$/u, rule: (text) => (/"navigation"/u.test(text) ? 'github' : undefined) },
  { name: /^book\.toml$/u, rule: 'mdbook' },
  { name: /^\.(?:vitepress|vuepress)$/u, rule: 'vitepress' },
  { name: /^conf\.py$/u, rule: 'myst' },
  { name: /^docfx\.json$/u, rule: 'docfx' },
  { name: /^\.openpublishing\.publish\.config\.json$/u, rule: 'docfx' },
  { name: /^\.gitbook\.yaml$|^\.gitbook$/u, rule: 'gitbook' },
  { name: /^\.obsidian$/u, rule: 'obsidian' },
];

/** Folders below a repository's or a package's root that hold the site itself. */
const SITE_FOLDERS = ['docs', 'doc', 'website', 'site', 'documentation', 'docs/en', 'docs/source'];

/**
 * The rule that the configuration file of a folder's site speaks for: in the folder, in one of the usual places
 * below it, or in a folder above it up to the boundary. Undefined where there is none.
 */
export function siteRule(folder: string, boundary: string): AnchorRule | undefined {
  for (const place of [folder, ...SITE_FOLDERS.map((name) => join(folder, name))]) {
    const rule = ruleIn(place);
    if (rule !== undefined) return rule;
  }
  return ruleAbove(folder, boundary);
}

/** As {@link siteRule}, but without the folders above. */
export function ownSiteRule(folder: string): AnchorRule | undefined {
  return siteRule(folder, folder);
}

function ruleAbove(folder: string, boundary: string): AnchorRule | undefined {
  for (let above = dirname(folder); isInside(boundary, above); above = dirname(above)) {
    const rule = ruleIn(above);
    if (rule !== undefined || above === dirname(above)) return rule;
  }
  return undefined;
}

function ruleIn(folder: string): AnchorRule | undefined {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined; // not a folder, or one we may not read: it then says nothing
  }
  for (const { name, rule } of SITE_FILES) {
    const file = names.find((candidate) => name.test(candidate));
    if (file === undefined) continue;
    const found = typeof rule === 'string' ? rule : rule(textOf(join(folder, file)));
    if (found !== undefined) return found;
  }
  return existsSync(join(folder, 'config/_default')) ? 'hugo' : undefined;
}

/** A configuration file's text; never more than one could be. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 1_000_000);
  } catch {
    return '';
  }
}

function hugoRule(text: string): AnchorRule {
  return /autoHeadingIDType["']?\s*[=:]\s*["']?blackfriday/iu.test(text) ? 'blackfriday' : 'hugo';
}

/** `config.toml` is Hugo's or Zola's, or of a program that has nothing to do with a site. */
function plainConfigRule(text: string): AnchorRule | undefined {
  if (/^\s*["']?base_url["']?\s*[=:]/mu.test(text)) return 'zola';
  return /^\s*["']?baseURL["']?\s*[=:]/imu.test(text) ? hugoRule(text) : undefined;
}
