import { generateKeyPairSync, sign } from 'node:crypto';
import {
  getCode,
  materializeRuntimes,
  rehearseTransaction,
  simulatedBlock,
  simulateTransaction,
  type ObserverPair,
} from '@launch/chain';
import type { Compiler } from '@launch/compiler';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest, type WalletHandoff } from '@launch/contracts/multi-role';
import { keccak256Hex } from '@launch/contracts/primitives';
import {
  implementedHookCallbacks,
  launchCallOf,
  launchCommitments,
  launchPermitOf,
  permitDigest,
  recogniseEconomics,
  rehearsalOf,
  routerOf,
  routerStorage,
  scanRuntime,
  type Hex,
} from '@launch/evm';
import { judge, MULTI_ROLE_GRAPH, MULTI_ROLE_SOURCE } from '@launch/launch-rules';
import { hexToBytes } from 'viem';
import { verifyRequest } from '../verification/verify-request.js';

const { privateKey } = generateKeyPairSync('ed25519');

export interface BareAdmission {
  readonly bytes: Uint8Array;
  /** The hand-off the product made of the same request: its transaction carries the permit's signature. */
  readonly handoff: WalletHandoff;
  readonly compiler: Compiler;
  readonly l2: ObserverPair;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the bare loop does not admit this request: ${what}`);
}

/**
 * The checks of an admission in a plain loop. It has the same pure functions and the same chain calls against the same
 * two observers. It has no workflow, no database, no file, and no second process but the compiler's.
 * @throws Error when a check does not pass: the peer must come to the product's verdict.
 */
export async function bareAdmission({ bytes, handoff, compiler, l2 }: BareAdmission): Promise<void> {
  const requestHash = keccak256Hex(bytes);
  must(requestHash === handoff.requestHash, 'another hand-off');
  const request = createRequestSchema.parse(assertCanonicalJson(bytes));
  const policy = request.context.profile.instructionPolicy.id;
  const scan = (runtimes: readonly Hex[]): void =>
    must(
      runtimes.every((runtime) => scanRuntime(policy, hexToBytes(runtime)).verdict === 'pass'),
      'opcodes',
    );
  const { components } = request.graphBundle;
  scan(components.map((component) => component.expectedRuntimeCode));

  must(judge(MULTI_ROLE_SOURCE, { request }).length === 0, 'source');
  const { verdict, abi } = await verifyRequest(request, compiler);
  must(verdict === 'pass', 'bytecode');

  const hookCallbacks = implementedHookCallbacks(abi);
  const compiled = { components: components.map(({ componentId }) => ({ componentId, hookCallbacks })) };
  must(judge(MULTI_ROLE_GRAPH, { request, compiled, clocks: [] }).length === 0, 'graph');
  const materialized = await materialize(request, l2);
  scan(materialized);

  const economics = recogniseEconomics(request);
  if (economics.kind !== 'recognised') throw new Error('the bare loop does not recognise the economics');
  const receipt = canonicalizeJson({
    requestHash,
    economicsHash: economics.economicsHash,
    ...launchCommitments(request),
  });
  sign(null, receipt, privateKey);

  const permit = launchPermitOf(request, { requestHash, economicsHash: economics.economicsHash });
  await rehearse(request, { requestHash, economicsHash: economics.economicsHash }, l2);
  must(permitDigest(routerOf(request.context), permit) === handoff.permitDigest, 'permit');
  const { from, to, value, data } = handoff.walletTransaction;
  const simulated = await simulateTransaction(
    l2,
    { from, to, value: BigInt(value), data: data as Hex },
    { validAfter: permit.validAfter, deadline: permit.deadline },
  );
  must(simulated.kind === 'ok', 'simulation');
}

async function rehearse(
  request: CreateRequest,
  hashes: { readonly requestHash: Hex; readonly economicsHash: Hex },
  l2: ObserverPair,
): Promise<void> {
  const { validAfter, deadline } = request.permitWindow;
  const at = await simulatedBlock(l2, { validAfter: BigInt(validAfter), deadline: BigInt(deadline) });
  const storage = routerStorage(await getCode(l2[0], routerOf(request.context).router, 'latest'));
  if (at.kind !== 'block' || storage === null) throw new Error('the bare loop does not rehearse this request');
  const { transaction, overrides } = rehearsalOf(request, hashes, storage);
  must((await rehearseTransaction(l2, transaction, at, overrides)).kind === 'ok', 'rehearsal');
}

async function materialize(request: CreateRequest, l2: ObserverPair): Promise<Hex[]> {
  const call = launchCallOf(request);
  const result = await materializeRuntimes(
    l2,
    routerOf(request.context).router,
    call.components.map((component) => component.salt),
    call.components.map((component) => component.initCode),
    call.children.map((child) => child.account),
  );
  if (result.kind !== 'materialized') throw new Error('the bare loop does not materialize this request');
  must(
    result.components.every(
      (made, index) => made.runtimeCode === request.graphBundle.components[index]?.expectedRuntimeCode,
    ),
    'runtime',
  );
  return [...result.components, ...result.children].map((made) => made.runtimeCode);
}
