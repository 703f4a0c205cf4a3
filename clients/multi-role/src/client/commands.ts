import {
  EVIDENCE_MEMBERS,
  FINALIZED_LIST_MEMBERS,
  FINALIZED_RECORD_MEMBERS,
  MULTI_ROLE_FINALITY_MEMBERS,
  MULTI_ROLE_LAUNCH_MEMBERS,
  MULTI_ROLE_LIST_MEMBERS,
  MULTI_ROLE_PREFLIGHT_MEMBERS,
  type MultiRoleSubject,
  type PageSubject,
  type SentMultiRole,
} from '@launch/client-core/binding';
import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import {
  createRequestSchema,
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
import { planCapabilities } from './downloads.js';
import { readOriginalLaunch } from './original-launch.js';
import { boundBy, read, WRITE_DEADLINE_MS, type PlannedCall } from './planned-call.js';
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
function namedLaunch(options: Options, original: Bytes | null): MultiRoleSubject & { readonly launchId: string } {
  if ((options['launch-id'] === undefined) === (original === null))
    throw argument('--launch-id', 'or --original-launch: exactly one of them is required');
  if (original === null) return { launchId: launchId(options) };
  const { launchId: id, onchainLaunchId, contextHash } = readOriginalLaunch(original);
  return { launchId: id, onchainLaunchId, contextHash };
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

/** @param unnamed items of a page without `--limit` */
const pageSubject = ({ limit, cursor }: Options, unnamed: number): PageSubject => ({
  limit: Number(limit ?? unnamed),
  cursor,
});

const walletOf = (value: object): WalletHandoff | null => (value as LaunchResource).wallet;

/** Returns the request's own values, as responses repeat them. The service refuses bytes that are no request. */
function sentOf(bytes: Bytes): SentMultiRole {
  const digests = { requestSha256: sha256Digest(bytes), requestHash: keccak256Hex(bytes) };
  try {
    const read = createRequestSchema.safeParse(parseStrictJson(bytes));
    return read.success ? { ...digests, request: read.data } : digests;
  } catch (error) {
    if (error instanceof StrictJsonError) return digests;
    throw error;
  }
}

function planCreate(options: Options, request: Bytes): PlannedCall {
  const sent = sentOf(request);
  const idempotencyKey = options['idempotency-key'] ?? defaultIdempotencyKey(sha256Digest(request));
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
    check: boundBy(MULTI_ROLE_LAUNCH_MEMBERS, { idempotencyKey, sent }),
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
    check: boundBy(MULTI_ROLE_PREFLIGHT_MEMBERS, sentOf(request)),
  };
}

/** Plans the read of the owner's evidence of finality, for `launch-verify evidence`. Requires a file to keep it in. */
function planEvidence(options: Options, original: Bytes | null): PlannedCall {
  const subject = namedLaunch(options, original);
  const launchOf = (value: object): FinalityEvidence['launch'] => (value as FinalityEvidence).launch;
  return {
    ...read(`/${subject.launchId}/finality/evidence`, finalityEvidenceSchema, boundBy(EVIDENCE_MEMBERS, subject)),
    addressed: (value) => ({
      schemaVersion: (value as FinalityEvidence).schemaVersion,
      launch: launchOf(value),
      outcome: (value as FinalityEvidence).outcome,
    }),
  };
}

const finality = (options: Options): PlannedCall =>
  read(
    `/${launchId(options)}/finality`,
    finalityStatusSchema,
    boundBy(MULTI_ROLE_FINALITY_MEMBERS, { launchId: launchId(options) }),
  );

function getLaunch(options: Options, original: Bytes | null): PlannedCall {
  const subject = namedLaunch(options, original);
  const check = boundBy(MULTI_ROLE_LAUNCH_MEMBERS, subject);
  return { ...read(`/${subject.launchId}`, launchResourceSchema, check), walletOf };
}

/** Plans the read of a public record. An original launch also says of which generation the record is. */
function planRecord(options: Options, original: Bytes | null): PlannedCall {
  if ((options['onchain-launch-id'] === undefined) === (original === null))
    throw argument('--onchain-launch-id', 'or --original-launch: exactly one of them is required');
  const kept = original === null ? null : readOriginalLaunch(original);
  const onchainLaunchId = kept?.onchainLaunchId ?? hash(options, 'onchain-launch-id');
  const subject = { launchId: kept?.launchId, contextHash: kept?.contextHash, onchainLaunchId };
  const check = boundBy(FINALIZED_RECORD_MEMBERS, subject);
  return kept?.generation === 'v3'
    ? read(`/finalized-v3/${onchainLaunchId}`, finalizedRecordV3Schema, check, true)
    : read(`/finalized/${onchainLaunchId}`, finalizedRecordSchema, check, true);
}

/**
 * Every command that is one call. `finality` and the hints by `--launch-id` belong to the V2 generation; the commands that take
 * an original response use its generation.
 */
export const COMMANDS: Readonly<Record<string, ClientCommand>> = {
  capabilities: { plan: () => planCapabilities() },
  preflight: { plan: (_options, request) => planPreflight(request!) },
  create: { plan: (options, request) => planCreate(options, request!) },
  get: { plan: getLaunch },
  /** The same read, polled until its stage (`awaitStage`). */
  wait: { plan: getLaunch },
  list: {
    plan: (options) =>
      read(
        page(options),
        launchListSchema,
        boundBy(MULTI_ROLE_LIST_MEMBERS, pageSubject(options, LIMITS.ownerListDefault)),
      ),
  },
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
  finalized: {
    plan: (options) =>
      read(
        `/finalized${page(options)}`,
        finalizedListSchema,
        boundBy(FINALIZED_LIST_MEMBERS, pageSubject(options, LIMITS.listMax)),
        true,
      ),
  },
  'finalized-record': { plan: planRecord },
};
