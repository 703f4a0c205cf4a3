/** Reads Solidity sources and everything they import: own files by path under `solidity/`, packages from node_modules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const solidityDir = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

/** Packages sources may import from. PoolManager itself is only ever taken as a build, see `poolManagerArtifact`. */
export const packages = ['@openzeppelin/contracts', '@uniswap/v4-core'];

export const packageDir = (name) => dirname(require.resolve(`${name}/package.json`));
export const packageVersion = (name) => require(`${name}/package.json`).version;
export const packageOf = (path) => packages.find((name) => path.startsWith(`${name}/`)) ?? null;

function readSource(path) {
  const name = packageOf(path);
  if (path.startsWith('@') && name === null) throw new Error(`no package holds ${path}`);
  return readFileSync(name ? join(packageDir(name), path.slice(name.length + 1)) : join(solidityDir, path), 'utf8');
}

const importPattern = /^\s*import\s+(?:[^"';]*?from\s+)?["']([^"']+)["']/gm;

/**
 * The import closure of some sources.
 * @param {string[]} entries source unit names, such as `src/native20/Native20.sol`
 * @returns {Record<string, {content: string}>} by source unit name, sorted
 */
export function sourceClosure(entries) {
  const found = new Map();
  const open = [...entries];
  while (open.length > 0) {
    const path = open.pop();
    if (found.has(path)) continue;
    const content = readSource(path);
    found.set(path, { content });
    for (const [, target] of content.matchAll(importPattern)) {
      open.push(target.startsWith('.') ? posix.join(posix.dirname(path), target) : target);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
