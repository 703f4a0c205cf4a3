import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { permitDigest } from '../permit/launch-permit.js';
import {
  artifactHash,
  callHash,
  childHash,
  componentHash,
  externalHash,
  graphHash,
  onchainLaunchId,
  poolHash,
} from './launch-hashes.js';
import type { LaunchCall, LaunchPermit, RouterIdentity } from './launch.types.js';

type Plain = string | number | { [key: string]: Plain } | Plain[];
interface Hashes {
  componentHashes: string[];
  childHashes: string[];
  externalHashes: string[];
  graphHash: string;
  poolHash: string;
  callHash: string;
  artifactHash: string;
  launchId: string;
  permitDigest: string;
}
const file = JSON.parse(
  readFileSync(new URL('../../../../solidity/vectors/launch-hashes.json', import.meta.url), 'utf8'),
) as {
  case: { [key: string]: Plain };
  expected: Hashes;
  mutations: { path: string; value: Plain; expected: Hashes }[];
};

/** Revives integers, which are decimal strings on the wire and bigint here. */
function revived(value: Plain): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member)]));
  return typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value;
}

function withValue(node: Plain, path: readonly string[], value: Plain): Plain {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(node))
    return node.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  const members = node as { [key: string]: Plain };
  if (!Object.hasOwn(members, key)) throw new Error(`the vectors have no field ${key}`);
  return { ...members, [key]: withValue(members[key]!, rest, value) };
}

/**
 * Computes the hashes of a vector. A changed call gets its own permit; a changed hash of the permit stays as the file
 * has it.
 */
function hashesOf(plain: Plain, changedPath = ''): Hashes {
  const {
    call,
    permit: signed,
    ...identity
  } = revived(plain) as { call: LaunchCall; permit: LaunchPermit } & RouterIdentity;
  const permit = changedPath.startsWith('call.')
    ? { ...signed, graphHash: graphHash(call), poolHash: poolHash(call), callHash: callHash(call) }
    : signed;
  return {
    componentHashes: call.components.map(componentHash),
    childHashes: call.children.map(childHash),
    externalHashes: call.externals.map(externalHash),
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    callHash: callHash(call),
    artifactHash: artifactHash(call),
    launchId: onchainLaunchId(identity, permit.controller, permit.nonce),
    permitDigest: permitDigest(identity, permit),
  };
}

describe('the vectors that the contracts share', () => {
  it('The hashes of the launch itself match the vectors of the contracts.', () =>
    expect(hashesOf(file.case)).toEqual(file.expected));

  it('The vectors change every field.', () => expect(file.mutations.length).toBeGreaterThanOrEqual(40));

  it.each(file.mutations)(
    'The hashes match the vector of the contracts with $path = $value.',
    ({ path, value, expected }) => {
      const hashes = hashesOf(withValue(file.case, path.split('.'), value), path);
      expect(hashes).toEqual(expected);
      expect(hashes).not.toEqual(file.expected);
    },
  );
});
