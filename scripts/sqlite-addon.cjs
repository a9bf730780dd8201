// Stands in the command's script for the package `bindings`, by which better-sqlite3 finds its machine code: that package
// walks the stack of an error and tries folder after folder at every start. Here the place where the build and npm put the
// machine code is tried first; where it is not there, the package itself searches, and words the error.
const { dirname, join } = require('node:path');

module.exports = (name) => {
  const folder = dirname(require.resolve('better-sqlite3/package.json'));
  const usual = join(folder, 'build/Release', name);
  try {
    return require(usual);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
  const search = require(require.resolve('bindings', { paths: [folder] }));
  return search({ bindings: name, module_root: folder });
};
