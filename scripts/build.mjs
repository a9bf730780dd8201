// Bundles the command (dist/kb.js) and the library (dist/index.js) and writes the library's types.
// Native modules stay outside; everything else is in the bundle, since reading one file is what makes `kb search` start fast.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: { kb: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['better-sqlite3'],
  define: { KB_VERSION: JSON.stringify(version) },
  banner: {
    // Some bundled packages are CommonJS and ask for Node's own modules by require.
    js: "import { createRequire as kbCreateRequire } from 'node:module'; const require = kbCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

if (existsSync('tsconfig.build.json')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
