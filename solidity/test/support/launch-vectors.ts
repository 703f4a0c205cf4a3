/** Reads `vectors/launch-hashes.json`: one launch, its hashes, and what each single change makes of them. */
import type { Address, Hex } from 'viem';
import { hashCall, hashLaunchId, hashPermit } from './launch-hashes.ts';
import type { LaunchCall, LaunchPermit } from './launch-hashes.ts';

export interface LaunchCase {
  chainId: bigint;
  router: Address;
  call: LaunchCall;
  permit: LaunchPermit;
}

export interface ExpectedHashes {
  componentHashes: Hex[];
  childHashes: Hex[];
  externalHashes: Hex[];
  graphHash: Hex;
  poolHash: Hex;
  callHash: Hex;
  artifactHash: Hex;
  launchId: Hex;
  permitDigest: Hex;
}

/** A changed field: `path` from the case's root, with dots between steps; `value` as in the file. */
export interface Mutation {
  path: string;
  value: unknown;
  expected: ExpectedHashes;
}

export interface VectorFile {
  schemaVersion: 'service.launch-hash-vectors.v1';
  case: unknown;
  expected: ExpectedHashes;
  mutations: Mutation[];
}

const bigFields = new Set([
  'chainId',
  'sqrtPriceX96',
  'liquidity',
  'nativeLiquidityWei',
  'initialBuyWei',
  'minimumTokensOut',
  'value',
  'nonce',
  'validAfter',
  'deadline',
]);

/** The case with decimal strings read as integers. */
export const parseCase = (raw: unknown): LaunchCase =>
  JSON.parse(JSON.stringify(raw), (key, value: unknown) =>
    bigFields.has(key) && typeof value === 'string' ? BigInt(value) : value,
  ) as LaunchCase;

/** A copy of the raw case with one field replaced. */
export function withMutation(raw: unknown, { path, value }: Pick<Mutation, 'path' | 'value'>): unknown {
  const copy = structuredClone(raw);
  const steps = path.split('.');
  const last = steps.pop()!;
  const parent = steps.reduce<Record<string, unknown>>(
    (node, step) => node[step] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  if (!(last in parent)) throw new Error(`no field ${path}`);
  parent[last] = value;
  return copy;
}

/**
 * Returns the signed permit of a case. A change of the call changes the three hashes in it, while a changed hash stays
 * as the file has it.
 */
export function permitOf({ call, permit }: LaunchCase, mutatedPath?: string): LaunchPermit {
  if (!mutatedPath?.startsWith('call.')) return permit;
  const { graphHash, poolHash, callHash } = hashCall(call);
  return { ...permit, graphHash, poolHash, callHash };
}

/** All hashes of a case by the TypeScript side. */
export function hashesOf(input: LaunchCase, mutatedPath?: string): ExpectedHashes {
  const permit = permitOf(input, mutatedPath);
  return {
    ...hashCall(input.call),
    launchId: hashLaunchId(input.chainId, input.router, permit.controller, permit.nonce),
    permitDigest: hashPermit(input.chainId, input.router, permit),
  };
}
