// Builds dist/: the command (kb.js, which starts main.cjs from its kept compiled form, or else the same from modules/),
// the library (modules/index.js) and the library's types. Native code stays outside, everything else is bundled.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
// What only a hosted or served model needs, in files of their own: every start of the command would read it otherwise.
const MODEL_CLIENTS = { openai: 'openai', anthropic: '@anthropic-ai/sdk' };

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['better-sqlite3'],
  define: { KB_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};
const script = { ...common, format: 'cjs', outExtension: { '.js': '.cjs' } };
const modules = {
  ...common,
  format: 'esm',
  banner: {
    // Some bundled packages are CommonJS and ask for Node's own modules by require.
    js: "import { createRequire as kbCreateRequire } from 'node:module'; const require = kbCreateRequire(import.meta.url);",
  },
};

rmSync('dist', { recursive: true, force: true });
await Promise.all([
  build({
    ...common,
    format: 'cjs',
    external: ['./modules/main.js'],
    entryPoints: { kb: 'src/cli/launch.ts' },
  }),
  build({
    ...script,
    outdir: 'dist/clients',
    entryPoints: MODEL_CLIENTS,
    // The default export as the module itself, which is what Node's own import of a CommonJS file takes for the default.
    footer: { js: 'module.exports = module.exports.default;' },
  }),
  build({ ...script, entryPoints: { 'build-helper': 'src/ingest/build-helper.ts' } }),
  build({
    ...script,
    entryPoints: { main: 'src/cli/main.ts' },
    // One expression, a function of what a CommonJS module is given: the launcher calls it.
    banner: { js: '(function (exports, require, module, __filename) {' },
    footer: { js: '})' },
    define: { ...common.define, 'import.meta.url': '__filename' },
    external: ['better-sqlite3/package.json'],
    alias: { bindings: join(import.meta.dirname, 'sqlite-addon.cjs') },
    plugins: [
      { name: 'model-clients', setup: (building) => building.onResolve({ filter: /./ }, clientFile) },
      { name: 'late', setup: lateChildProcess },
    ],
  }),
  build({
    ...modules,
    outdir: 'dist/modules',
    splitting: true,
    entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts' },
  }),
]);

if (existsSync('tsconfig.build.json')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
// The package is one of modules; the scripts of dist/ are CommonJS.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
for (const folder of ['dist/modules', 'dist/types'])
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }\n');
try {
  execFileSync(process.execPath, ['scripts/keep-compiled.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
} catch {
  console.warn('kb works, but starts more slowly: its compiled form could not be kept');
}

function clientFile({ path }) {
  const client = Object.keys(MODEL_CLIENTS).find((name) => MODEL_CLIENTS[name] === path);
  return client === undefined ? undefined : { path: `./clients/${client}.cjs`, external: true };
}

/** Commander asks for it at once, for commands that are programs of their own; kb has none, and it takes 4 ms to load. */
function lateChildProcess(building) {
  building.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
    importer.includes('commander') ? { path: 'child_process', namespace: 'late' } : undefined,
  );
  building.onLoad({ filter: /./, namespace: 'late' }, () => ({
    contents: "exports.spawn = (...given) => require('node:child_process').spawn(...given);",
  }));
}
