/**
 * Modules that every test file gets anew: the tests, and what only tests import. They keep stacks, clients and connections of
 * one test file, and the functions of `@jest/globals` that they import register tests of that file.
 * @param {string} url A file URL, as Jest names the modules of its registry.
 */
export const isTestCode = (url) =>
  /\.(spec|chapter|fixture)\.ts$|\.setup\.mjs$|\/(fixtures|testdata|test)\/|\/libs\/testing\/|\/tools\/e2e\/src\//.test(
    url,
  );

const JEST_GLOBALS = '@jest/globals/';

/**
 * The keys of Jest's registry that end with a test file.
 * @param {Iterable<string>} keys Of all modules that are loaded.
 * @throws Error when a module that stays imports `@jest/globals`: it would register tests of a file that has ended.
 */
export function keysOfTestCode(keys) {
  const ending = [];
  for (const key of keys) {
    const importer = key.startsWith(JEST_GLOBALS) ? key.slice(JEST_GLOBALS.length) : undefined;
    if (importer !== undefined && !isTestCode(importer))
      throw new Error(
        `${importer} imports @jest/globals and is no test code: name it *.fixture.ts or move it to fixtures/`,
      );
    if (importer !== undefined || isTestCode(key)) ending.push(key);
  }
  return ending;
}
