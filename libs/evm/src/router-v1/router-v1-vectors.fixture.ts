import { keccak256, toBytes } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { callHash, componentHash, graphHash, poolHash } from '../launch-call/launch-hashes.js';
import type { LaunchCall } from '../launch-call/launch.types.js';
import { LAUNCH_PERMIT_V1_TYPES, permitV1Digest } from '../permit/launch-permit.js';
import {
  atomicDigest,
  componentSetHash,
  launchStepsHash,
  onchainLaunchIdV1,
  planStepsHash,
  registerCallHash,
  registerCallOf,
  stampHash,
} from './router-v1.hashes.js';
import {
  PROFILE_WORDS,
  ROUTER_V1_PROTOCOL,
  type LaunchPermitV1,
  type StampFields,
  type StampedComponent,
  type WalletCall,
} from './router-v1.types.js';

/**
 * Vectors of router V1: one launch, its hashes, and the effect of each single change on them. The contracts' tests read
 * them too.
 */
export interface RouterV1Vectors {
  readonly schemaVersion: 'service.router-v1-hash-vectors.v1';
  readonly constants: Readonly<Record<string, Hex>>;
  readonly case: Plain;
  readonly expected: Hashes;
  readonly mutations: readonly Mutation[];
}

export type Plain = string | number | { readonly [key: string]: Plain } | readonly Plain[];

/** A changed field: `path` from the root of the case, separated by dots. */
export interface Mutation {
  readonly path: string;
  readonly value: Plain;
  readonly expected: Hashes;
}

export type Hashes = Readonly<Record<string, Hex | readonly Hex[]>>;

interface VectorCase {
  readonly chainId: bigint;
  readonly router: Hex;
  readonly call: LaunchCall;
  readonly permit: LaunchPermitV1;
  readonly stamp: StampFields;
  readonly components: readonly StampedComponent[];
  readonly batch: readonly WalletCall[];
}

/** Revives integers, which are decimal strings in the file and bigint here. */
function revived(value: Plain): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member as Plain)]));
  return typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value;
}

/** Copies the case with one field replaced. */
export function withValue(node: Plain, path: readonly string[], value: Plain): Plain {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(node))
    return node.map((item: Plain, index) => (String(index) === key ? withValue(item, rest, value) : item));
  const members = node as { readonly [key: string]: Plain };
  if (!Object.hasOwn(members, key)) throw new Error(`the vectors have no field ${key}`);
  return { ...members, [key]: withValue(members[key]!, rest, value) };
}

/** Computes every hash of a case. Permit and stamp keep the values of the case. */
export function hashesOf(plain: Plain): Hashes {
  const { call, permit, stamp, components, batch, ...identity } = revived(plain) as VectorCase;
  const componentHashes = call.components.map(componentHash);
  const registered = registerCallHash(registerCallOf(call));
  const launchId = onchainLaunchIdV1(identity, permit.controller, permit.nonce);
  const permitDigest = permitV1Digest(identity, permit);
  return {
    componentHashes,
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    launchCallHash: callHash(call),
    registerCallHash: registered,
    launchStepsHash: launchStepsHash(callHash(call), permit.value),
    planStepsHash: planStepsHash(componentHashes, registered, permit.value),
    launchId,
    permitDigest,
    componentSetHash: componentSetHash(components),
    stampHash: stampHash(launchId, identity, stamp),
    atomicDigest: atomicDigest(permitDigest, batch),
  };
}

const text = (value: string): Hex => keccak256(toBytes(value));

/** The constants in every digest. */
export const constantsOf = (): Readonly<Record<string, Hex>> => ({
  domainTypehash: text('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  permitTypehash: text(
    `LaunchPermitV1(${LAUNCH_PERMIT_V1_TYPES.LaunchPermitV1.map(({ name, type }) => `${type} ${name}`).join(',')})`,
  ),
  protocol: ROUTER_V1_PROTOCOL,
  profile40: PROFILE_WORDS['4.0'],
  profile41: PROFILE_WORDS['4.1'],
});

/** Yields every field of a case as its path and another value of the same kind. */
export function* otherValues(node: Plain, path = ''): Generator<Pick<Mutation, 'path' | 'value'>> {
  if (typeof node === 'object') {
    for (const [key, value] of Object.entries(node)) yield* otherValues(value as Plain, path ? `${path}.${key}` : key);
  } else yield { path, value: anotherThan(node) };
}

function anotherThan(value: string | number): string | number {
  if (typeof value === 'number') return value + 1;
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n);
  return `${value.slice(0, -2)}${value.endsWith('5a') ? 'a5' : '5a'}`;
}

/** Builds the vectors of a case. A changed expectation means a changed protocol. */
export function vectorsOf(base: Plain): RouterV1Vectors {
  const edges = [
    { path: 'call.components', value: [] },
    { path: 'call.children', value: [] },
    { path: 'call.externals', value: [] },
    { path: 'components', value: [] },
    { path: 'batch', value: [] },
    { path: 'call.poolKey.tickSpacing', value: -(2 ** 23) },
    { path: 'permit.nonce', value: String(2n ** 256n - 1n) },
    { path: 'permit.mode', value: 2 ** 8 - 1 },
  ];
  const mutations = [...otherValues(base), ...edges].map(({ path, value }) => ({
    path,
    value,
    expected: hashesOf(withValue(base, path.split('.'), value)),
  }));
  return {
    schemaVersion: 'service.router-v1-hash-vectors.v1',
    constants: constantsOf(),
    case: base,
    expected: hashesOf(base),
    mutations,
  };
}
