import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Bundles an entry of the repository (`src/cli/main.ts`) into `folder` the way the build does, so that a child process
 * starts as fast as the real command. Answers with the path of the script.
 */
export async function bundle(entry: string, folder: string): Promise<string> {
  const sqlite = createRequire(join(ROOT, 'package.json')).resolve('better-sqlite3');
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: {
      js: "import { createRequire as kbCreateRequire } from 'node:module'; const require = kbCreateRequire(import.meta.url);",
    },
    plugins: [
      {
        // The bundle lies outside the repository: the native module is found by its full address.
        name: 'native',
        setup(building) {
          building.onResolve({ filter: /^better-sqlite3$/ }, () => ({
            path: pathToFileURL(sqlite).href,
            external: true,
          }));
        },
      },
    ],
    logLevel: 'warning',
  });
  return join(folder, basename(entry).replace(/\.ts$/u, '.mjs'));
}
