#!/usr/bin/env node
// dist/kb.js: starts the command from one script whose compiled form the build has kept (docs/decisions/kept-compiled.md).
// Where the kept form does not fit (another version of Node than built it), the command is loaded from its modules
// instead: the same command, started more slowly. Built as CommonJS, which Node starts without its loader of modules.
import { readFileSync } from 'node:fs';
import { constants, Script } from 'node:vm';

type Wrapped = (exports: object, require: NodeJS.Require, module: object, filename: string) => void;

const filename = `${__dirname}/main.cjs`;
const script = keptScript();
if (script === undefined) {
  void import('./modules/main.js' as string);
} else {
  const module = { exports: {} };
  (script.runInThisContext() as Wrapped)(module.exports, require, module, filename);
}

/** The command as a compiled script; undefined where there is none that this Node takes. */
function keptScript(): Script | undefined {
  try {
    const cachedData = readFileSync(`${filename}.cache`);
    const source = readFileSync(filename, 'latin1'); // The bundle is pure ASCII: no decoding.
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const compiled = new Script(source, { filename, cachedData, importModuleDynamically });
    return compiled.cachedDataRejected === false ? compiled : undefined;
  } catch {
    return undefined;
  }
}
