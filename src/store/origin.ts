import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnchorRule, Config } from '../core/config.ts';
import type { IndexFile } from './index-file.ts';
import { readMeta, writeMeta } from './meta.ts';

/** How the anchors of the documents below a folder are made. */
export interface FolderAnchors {
  /** A configured path, or a folder directly below one; the longest that holds a document counts. */
  readonly path: string;
  readonly rule: AnchorRule;
  /** What decided: the knowledge-base file, the site's own links, its configuration file, the spelling of its pages. */
  readonly by: 'setting' | 'links' | 'configuration' | 'spelling' | 'default';
  /** The folder's links to headings when the rule was chosen, and how many it resolves. */
  readonly links: number;
  readonly resolved: number;
}

/** What an index remembers of the run that built it, so that it can be searched without the file that describes it. */
export interface Origin {
  readonly config: Config;
  /** Hash of the YAML file at that time: while it is the same, `config` need not be parsed again. */
  readonly configHash: string;
  /** Absolute folder of each path's first segment that is not below the root. */
  readonly folders: ReadonlyMap<string, string>;
  readonly anchors: readonly FolderAnchors[];
  /** What decided how files became sections. */
  readonly pipeline: string;
  readonly ingestedAt: string;
}

export function readOrigin(index: IndexFile): Origin | undefined {
  const config = readMeta(index, 'config');
  if (config === undefined) return undefined;
  return {
    config: JSON.parse(config) as Config,
    configHash: readMeta(index, 'config-hash') ?? '',
    folders: new Map(
      Object.entries(JSON.parse(readMeta(index, 'folders') ?? '{}') as Record<string, string>),
    ),
    anchors: readAnchors(readMeta(index, 'anchor-rule')),
    pipeline: readMeta(index, 'pipeline') ?? '',
    ingestedAt: readMeta(index, 'ingested-at') ?? '',
  };
}

/** An index of an older kb holds the name of one rule for all. */
function readAnchors(stored: string | undefined): readonly FolderAnchors[] {
  if (stored?.startsWith('[') === true) return JSON.parse(stored) as FolderAnchors[];
  return [{ path: '', rule: (stored ?? 'github') as AnchorRule, by: 'default', links: 0, resolved: 0 }];
}

/** For people: the rule, or each rule with the number of folders that go by it. */
export function summariseAnchors(folders: readonly FolderAnchors[]): string {
  const counts = new Map<AnchorRule, number>();
  for (const { rule } of folders) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (counts.size <= 1) return folders[0]?.rule ?? 'github';
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([rule, count]) => `${rule} (${count})`)
    .join(', ');
}

/** SHA-256 (hex) of a knowledge-base file; '' where there is none. */
export function hashConfigFile(file: string | undefined): string {
  if (file === undefined || !existsSync(file)) return '';
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

export function recordOrigin(
  index: IndexFile,
  origin: Pick<Origin, 'config' | 'folders' | 'anchors' | 'pipeline'>,
): void {
  writeMeta(index, 'config', JSON.stringify(origin.config));
  writeMeta(index, 'config-hash', hashConfigFile(origin.config.file));
  writeMeta(index, 'folders', JSON.stringify(Object.fromEntries(origin.folders)));
  writeMeta(index, 'anchor-rule', JSON.stringify(origin.anchors));
  writeMeta(index, 'pipeline', origin.pipeline);
  writeMeta(index, 'ingested-at', new Date().toISOString());
}

/** The file or folder of a document path, and the folder nothing may be read outside of. */
export function locate(
  root: string,
  folders: ReadonlyMap<string, string>,
  path: string,
): { file: string; boundary: string } {
  const [first = '', ...rest] = path.split('/');
  const source = folders.get(first);
  if (source === undefined) return { file: join(root, path), boundary: root };
  return { file: join(source, ...rest), boundary: source };
}
