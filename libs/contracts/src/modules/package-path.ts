import { MODULE_LIMITS } from './module-limits.js';

const CONTROL_OR_BACKSLASH = /[\\\u0000-\u001f\u007f-\u009f]/;

/** Returns the rule that a path breaks; null for none (docs/reference/modules.md#file-paths). */
export function pathFault(path: string): string | null {
  if (path === '') return 'a path';
  if (!path.isWellFormed() || path !== path.normalize('NFC')) return 'well-formed text in Unicode normal form C';
  if (new TextEncoder().encode(path).length > MODULE_LIMITS.pathBytes)
    return `at most ${MODULE_LIMITS.pathBytes} UTF-8 bytes`;
  if (CONTROL_OR_BACKSLASH.test(path)) return 'no backslash and no control character';
  if (path.startsWith('/') || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return 'a relative path without empty, "." or ".." segments';
  if (path === 'module.json') return 'another name: the descriptor is no file of the package';
  return null;
}

/** Folds the letter case, because a file system may treat two such names as one. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Finds the paths of a list that collide with an earlier one after case folding, or with the folder of another.
 * @param paths null for an unreadable one. @returns indexes into the list, with the requirement that each misses.
 */
export function collidingPaths(paths: readonly (string | null)[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === null) continue;
    const parts = folded(path).split('/');
    for (let end = 1; end < parts.length; end += 1) folders.add(parts.slice(0, end).join('/'));
  }
  const seen = new Set<string>();
  paths.forEach((path, index) => {
    if (path === null) return;
    const key = folded(path);
    if (seen.has(key)) found.set(index, 'a path that no other file has, letter case aside');
    else if (folders.has(key)) found.set(index, 'a name that is no folder of another file');
    seen.add(key);
  });
  return found;
}
