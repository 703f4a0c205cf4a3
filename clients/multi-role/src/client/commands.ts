import {
  capabilitiesSchema,
  defaultIdempotencyKey,
  type FinalityEvidence,
  finalityEvidenceSchema,
  finalityStatusSchema,
  finalizedListSchema,
  finalizedRecordSchema,
  finalizedRecordV3Schema,
  launchListSchema,
  type LaunchResource,
  launchResourceSchema,
  MULTI_ROLE_BASE_PATH,
  preflightResultSchema,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import { bytes32Schema, keccak256Hex, LIMITS, sha256Digest, uuidSchema } from '@launch/contracts/primitives';
import { ClientError } from './client.error.js';
import { readOriginalLaunch } from './original-launch.js';
import { mismatches, read, WRITE_DEADLINE_MS, type Expectations, type PlannedCall } from './planned-call.js';
import { planDiscovery, planFinality, planHint } from './recovery.js';

export type Options = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

/** A command that is one call. `client.program.ts` declares its options. */
export interface ClientCommand {
  /** `document` contains the bytes of the file that `--request` or `--original-launch` names, for commands that have one. */
  readonly plan: (options: Options, document: Bytes | null) => PlannedCall;
}

const argument = (path: string, message: string): ClientError =>
  new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: [{ path, message }] });

function launchId(options: Options): string {
  const id = options['launch-id']!;
  if (!uuidSchema.safeParse(id).success) throw argument('--launch-id', 'is not a lowercase UUID');
  return id;
}

/** Returns the launch that an id or a kept response names: one of `--launch-id` and `--original-launch` is required. */
function namedLaunch(options: Options, original: Bytes | null): string {
  if ((options['launch-id'] === undefined) === (original === null))
    throw argument('--launch-id', 'or --original-launch: exactly one of them is required');
  return original === null ? launchId(options) : readOriginalLaunch(original).launchId;
}

function hash(options: Options, name: string): string {
  const text = options[name]!;
  if (!bytes32Schema.safeParse(text).success) throw argument(`--${name}`, 'is not 0x and 64 lowercase hex digits');
  return text;
}

function page({ limit, cursor }: Options): string {
  if (cursor !== undefined && !/^[\x21-\x7e]{1,512}$/.test(cursor))
    throw argument('--cursor', 'is not a cursor of this service');
  const query = new URLSearchParams({
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}

const walletOf = (value: object): WalletHandoff | null => (value as LaunchResource).wallet;

/** Refuses a launch whose wallet transaction is bound to another launch: it is neither shown nor saved. */
const launchMismatches =
  (expected: Expectations) =>
  (value: object): readonly string[] => {
    const { wallet, ...launch } = value as LaunchResource;
    const own = mismatches(expected)(value);
    if (wallet === null) return own;
    const { walletTransaction: transaction } = wallet;
    const bindings: readonly [string, boolean][] = [
      ['/wallet/requestSha256', wallet.requestSha256 === launch.requestSha256],
      ['/wallet/requestHash', wallet.requestHash === launch.requestHash],
      ['/wallet/contextHash', wallet.contextHash === launch.contextHash],
      ['/wallet/artifactHash', wallet.artifactHash === launch.artifactHash],
      ['/wallet/validAfter', wallet.validAfter === launch.permitWindow.validAfter],
      ['/wallet/deadline', wallet.deadline === launch.permitWindow.deadline],
      ['/wallet/walletTransaction/from', transaction.from === launch.launchWallet],
      ['/wallet/walletTransaction/to', transaction.to === launch.context.chainBindings.router],
    ];
    return [...own, ...bindings.filter(([, holds]) => !holds).map(([path]) => path)];
  };

function planCreate(options: Options, request: Bytes): PlannedCall {
  const requestSha256 = sha256Digest(request);
  const idempotencyKey = options['idempotency-key'] ?? defaultIdempotencyKey(requestSha256);
  if (!LIMITS.idempotencyKeyPattern.test(idempotencyKey))
    throw argument('--idempotency-key', 'is not 16-128 letters, digits, ".", "_", ":", "-"');
  return {
    method: 'POST',
    path: MULTI_ROLE_BASE_PATH,
    isPublic: false,
    body: request,
    idempotencyKey,
    deadlineMs: WRITE_DEADLINE_MS,
    statuses: [200, 202],
    schema: launchResourceSchema,
    check: launchMismatches({ requestSha256, requestHash: keccak256Hex(request), idempotencyKey }),
    walletOf,
  };
}

function planPreflight(request: Bytes): PlannedCall {
  return {
    method: 'POST',
    path: `${MULTI_ROLE_BASE_PATH}/preflight`,
    isPublic: false,
    body: request,
    deadlineMs: WRITE_DEADLINE_MS,
    statuses: [200],
    schema: preflightResultSchema,
    check: mismatches({ requestSha256: sha256Digest(request), requestHash: keccak256Hex(request) }),
  };
}

/** Plans the read of the owner's evidence of finality, for `launch-verify evidence`. Requires a file to keep it in. */
function planEvidence(options: Options, original: Bytes | null): PlannedCall {
  const id = namedLaunch(options, original);
  const launchOf = (value: object): FinalityEvidence['launch'] => (value as FinalityEvidence).launch;
  return {
    ...read(`/${id}/finality/evidence`, finalityEvidenceSchema),
    check: (value) => (launchOf(value).launchId === id ? [] : ['/launch/launchId']),
    addressed: (value) => ({
      schemaVersion: (value as FinalityEvidence).schemaVersion,
      launch: launchOf(value),
      outcome: (value as FinalityEvidence).outcome,
    }),
  };
}

const finality = (options: Options): PlannedCall =>
  read(`/${launchId(options)}/finality`, finalityStatusSchema, { launchId: launchId(options) });

function getLaunch(options: Options, original: Bytes | null): PlannedCall {
  const id = namedLaunch(options, original);
  return { ...read(`/${id}`, launchResourceSchema), check: launchMismatches({ launchId: id }), walletOf };
}

/** Plans the read of a public record. An original launch also says of which generation the record is. */
function planRecord(options: Options, original: Bytes | null): PlannedCall {
  if ((options['onchain-launch-id'] === undefined) === (original === null))
    throw argument('--onchain-launch-id', 'or --original-launch: exactly one of them is required');
  const kept = original === null ? null : readOriginalLaunch(original);
  const onchainLaunchId = kept?.onchainLaunchId ?? hash(options, 'onchain-launch-id');
  return kept?.generation === 'v3'
    ? read(`/finalized-v3/${onchainLaunchId}`, finalizedRecordV3Schema, { onchainLaunchId }, true)
    : read(`/finalized/${onchainLaunchId}`, finalizedRecordSchema, { onchainLaunchId }, true);
}

/**
 * Every command that is one call. `finality` and the hints by `--launch-id` belong to the V2 generation; the commands that take
 * an original response use its generation.
 */
export const COMMANDS: Readonly<Record<string, ClientCommand>> = {
  capabilities: { plan: () => read('/capabilities', capabilitiesSchema, {}, true) },
  preflight: { plan: (_options, request) => planPreflight(request!) },
  create: { plan: (options, request) => planCreate(options, request!) },
  get: { plan: getLaunch },
  /** The same read, polled until its stage (`awaitStage`). */
  wait: { plan: getLaunch },
  list: { plan: (options) => read(page(options), launchListSchema) },
  'transaction-hints': {
    plan: (options) => planHint({ launchId: launchId(options), generation: 'v2' }, hash(options, 'transaction-hash')),
  },
  'transaction-hint-status': { plan: finality },
  finality: { plan: finality },
  evidence: { plan: planEvidence },
  'finality-discovery': { plan: planDiscovery },
  'recovery-transaction-hints': {
    plan: (options, original) => planHint(readOriginalLaunch(original!), hash(options, 'transaction-hash')),
  },
  'recovery-finality': { plan: (_options, original) => planFinality(readOriginalLaunch(original!)) },
  finalized: { plan: (options) => read(`/finalized${page(options)}`, finalizedListSchema, {}, true) },
  'finalized-record': { plan: planRecord },
};
