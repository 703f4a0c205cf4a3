/** The TypeScript side of the hash vectors. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { hashesOf, parseCase, withMutation } from './support/launch-vectors.js';
import type { ExpectedHashes, VectorFile } from './support/launch-vectors.js';

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/launch-hashes.json', import.meta.url), 'utf8'),
) as VectorFile;

/** Leaf fields of an object, as dotted paths. */
const leavesOf = (node: unknown, path = ''): string[] =>
  node !== null && typeof node === 'object'
    ? Object.entries(node).flatMap(([key, value]) => leavesOf(value, path === '' ? key : `${path}.${key}`))
    : [path];

/** Returns the hashes that a change below a path must reach; it must leave all others alone. */
function reach(path: string): (keyof ExpectedHashes)[] {
  if (path.startsWith('call.components'))
    return ['componentHashes', 'graphHash', 'callHash', 'artifactHash', 'permitDigest'];
  if (path.startsWith('call.children')) return ['childHashes', 'graphHash', 'callHash', 'artifactHash', 'permitDigest'];
  if (path.startsWith('call.externals'))
    return ['externalHashes', 'graphHash', 'callHash', 'artifactHash', 'permitDigest'];
  if (path.startsWith('call.poolKey') || path === 'call.sqrtPriceX96')
    return ['poolHash', 'callHash', 'artifactHash', 'permitDigest'];
  if (path.startsWith('call.')) return ['callHash', 'artifactHash', 'permitDigest'];
  if (['chainId', 'router', 'permit.controller', 'permit.nonce'].includes(path)) return ['launchId', 'permitDigest'];
  return ['permitDigest'];
}

describe('launch hash vectors', () => {
  it("hold for the unchanged launch, whose permit carries the call's hashes", () => {
    const launch = parseCase(vectors.case);
    expect(hashesOf(launch)).toEqual(vectors.expected);
    const { graphHash, poolHash, callHash } = vectors.expected;
    expect(launch.permit).toMatchObject({ graphHash, poolHash, callHash });
  });

  it('change every field at least once', () => {
    const mutated = new Set(vectors.mutations.map((m) => m.path));
    expect(leavesOf(vectors.case).filter((path) => !mutated.has(path))).toEqual([]);
  });

  it.each(vectors.mutations.map((m, i) => [i, m.path, m] as const))(
    'The library computes the hash vector %d: %s.',
    (_, path, mutation) => {
      const hashes = hashesOf(parseCase(withMutation(vectors.case, mutation)), path);
      expect(hashes).toEqual(mutation.expected);
      const changed = (Object.keys(hashes) as (keyof ExpectedHashes)[]).filter(
        (name) => String(hashes[name]) !== String(vectors.expected[name]),
      );
      expect(changed.sort()).toEqual(reach(path).sort());
    },
  );
});
