import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  constantsOf,
  hashesOf,
  otherValues,
  vectorsOf,
  withValue,
  type RouterV1Vectors,
} from './router-v1-vectors.fixture.js';

const vectorFile = new URL('../../../../solidity/vectors/router-v1-hashes.json', import.meta.url);
const read = (): RouterV1Vectors => JSON.parse(readFileSync(vectorFile, 'utf8')) as RouterV1Vectors;
if (process.env['WRITE_VECTORS'] === '1')
  writeFileSync(vectorFile, `${JSON.stringify(vectorsOf(read().case), null, 1)}\n`);
const file = read();

describe('the vectors of router V1 that the contracts share', () => {
  it('The type hashes, the protocol and the profiles match the contracts.', () =>
    expect(constantsOf()).toEqual(file.constants));

  it('The hashes of the launch itself match the vectors of the contracts.', () =>
    expect(hashesOf(file.case)).toEqual(file.expected));

  it('The vectors change every field at least once.', () => {
    const mutated = new Set(file.mutations.map(({ path }) => path));
    expect([...otherValues(file.case)].filter(({ path }) => !mutated.has(path))).toEqual([]);
  });

  it.each(file.mutations)(
    'The hashes match the vector of the contracts with $path = $value.',
    ({ path, value, expected }) => {
      const hashes = hashesOf(withValue(file.case, path.split('.'), value));
      expect(hashes).toEqual(expected);
      const changed = Object.keys(hashes).filter((name) => String(hashes[name]) !== String(file.expected[name]));
      expect(changed.sort()).toEqual(reach(path).sort());
    },
  );
});

/** Returns the hashes that a change below a path must affect; all others must stay the same. */
function reach(path: string): string[] {
  const call = ['launchCallHash', 'registerCallHash', 'launchStepsHash', 'planStepsHash'];
  if (path.startsWith('call.components')) return ['componentHashes', 'graphHash', ...call];
  if (/^call\.(children|externals)/.test(path)) return ['graphHash', ...call];
  if (path.startsWith('call.poolKey') || path === 'call.sqrtPriceX96') return ['poolHash', ...call];
  if (path.startsWith('call.')) return call;
  if (path.startsWith('stamp.')) return ['stampHash'];
  if (path.startsWith('components')) return ['componentSetHash'];
  if (path.startsWith('batch')) return ['atomicDigest'];
  const digests = ['permitDigest', 'atomicDigest'];
  if (path === 'permit.value') return [...digests, 'launchStepsHash', 'planStepsHash'];
  if (['chainId', 'router', 'permit.controller', 'permit.nonce'].includes(path))
    return [...digests, 'launchId', 'stampHash'];
  return digests;
}
