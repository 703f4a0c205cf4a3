import {
  bytes32Schema,
  capabilitiesSchema,
  defaultIdempotencyKey,
  finalityStatusSchema,
  finalizedListSchema,
  finalizedRecordSchema,
  keccak256Hex,
  launchListSchema,
  launchResourceSchema,
  LIMITS,
  MULTI_ROLE_BASE_PATH,
  preflightResultSchema,
  sha256Digest,
  transactionHintReceiptSchema,
  uuidSchema,
  type LaunchResource,
  type WalletHandoff,
} from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import type { z } from 'zod';
import type { CommandShape } from '../offline/arguments.js';
import { ClientError } from './client.error.js';

export type Options = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

/** What a command sends and what it accepts; `check` holds the answer against what was asked. */
export interface PlannedCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly isPublic: boolean;
  readonly body?: Bytes;
  readonly idempotencyKey?: string;
  readonly deadlineMs: number;
  readonly statuses: readonly number[];
  readonly schema: z.ZodType<object>;
  readonly check: (value: object) => readonly string[];
  readonly walletOf?: (value: object) => WalletHandoff | null;
}

export interface ClientCommand extends CommandShape {
  /** `request` is the bytes of the file that `--request` names, for commands that have it. */
  readonly plan: (options: Options, request: Bytes | null) => PlannedCall;
}

export const READ_DEADLINE_MS = 30_000;
export const WRITE_DEADLINE_MS = 60_000;

const argument = (path: string, message: string): ClientError => new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: [{ path, message }] });

/** The fields of an answer that must equal what was asked for. */
type Expectations = Readonly<Record<string, string>>;
const mismatches = (expected: Expectations) => (value: object): readonly string[] =>
  Object.entries(expected)
    .filter(([field, text]) => (value as Record<string, unknown>)[field] !== text)
    .map(([field]) => `/${field}`);

const read = (path: string, schema: z.ZodType<object>, expected: Expectations = {}, isPublic = false): PlannedCall => ({
  method: 'GET',
  path: `${MULTI_ROLE_BASE_PATH}${path}`,
  isPublic,
  deadlineMs: READ_DEADLINE_MS,
  statuses: [200],
  schema,
  check: mismatches(expected),
});

function launchId(options: Options): string {
  const id = options['launch-id']!;
  if (!uuidSchema.safeParse(id).success) throw argument('--launch-id', 'is not a lowercase UUID');
  return id;
}

function hash(options: Options, name: string): string {
  const text = options[name]!;
  if (!bytes32Schema.safeParse(text).success) throw argument(`--${name}`, 'is not 0x and 64 lowercase hex digits');
  return text;
}

function page(options: Options): string {
  const { limit, cursor } = options;
  if (limit !== undefined && (!/^[1-9][0-9]?$/.test(limit) || Number(limit) > LIMITS.listMax)) throw argument('--limit', `is not a number from 1 to ${LIMITS.listMax}`);
  if (cursor !== undefined && !/^[\x21-\x7e]{1,512}$/.test(cursor)) throw argument('--cursor', 'is not a cursor of this service');
  const query = new URLSearchParams({ ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }).toString();
  return query === '' ? '' : `?${query}`;
}

const walletOf = (value: object): WalletHandoff | null => (value as LaunchResource).wallet;

/** A launch whose wallet transaction is bound to something else than the launch is not shown, let alone saved. */
const launchMismatches = (expected: Expectations) => (value: object): readonly string[] => {
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
  if (!LIMITS.idempotencyKeyPattern.test(idempotencyKey)) throw argument('--idempotency-key', 'is not 16-128 letters, digits, ".", "_", ":", "-"');
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

function planHint(options: Options): PlannedCall {
  const id = launchId(options);
  const transactionHash = hash(options, 'transaction-hash');
  return {
    method: 'POST',
    path: `${MULTI_ROLE_BASE_PATH}/${id}/transaction-hints`,
    isPublic: false,
    body: new Uint8Array(canonicalizeJson({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash })),
    deadlineMs: READ_DEADLINE_MS,
    statuses: [202],
    schema: transactionHintReceiptSchema,
    check: mismatches({ launchId: id, transactionHash }),
  };
}

const finality = (options: Options): PlannedCall => read(`/${launchId(options)}/finality`, finalityStatusSchema, { launchId: launchId(options) });

/** Every command of the V2 generation (spec 2, Offline tools). */
export const COMMANDS: Readonly<Record<string, ClientCommand>> = {
  capabilities: { required: [], plan: () => read('/capabilities', capabilitiesSchema, {}, true) },
  preflight: { required: ['request'], plan: (_options, request) => planPreflight(request!) },
  create: { required: ['request'], optional: ['idempotency-key', 'save-wallet'], plan: (options, request) => planCreate(options, request!) },
  get: {
    required: ['launch-id'],
    optional: ['save-wallet'],
    plan: (options) => ({
      ...read(`/${launchId(options)}`, launchResourceSchema),
      check: launchMismatches({ launchId: launchId(options) }),
      walletOf,
    }),
  },
  list: { required: [], optional: ['limit', 'cursor'], plan: (options) => read(page(options), launchListSchema) },
  'transaction-hints': { required: ['launch-id', 'transaction-hash'], plan: planHint },
  'transaction-hint-status': { required: ['launch-id'], plan: finality },
  finality: { required: ['launch-id'], plan: finality },
  finalized: { required: [], optional: ['limit', 'cursor'], plan: (options) => read(`/finalized${page(options)}`, finalizedListSchema, {}, true) },
  'finalized-record': {
    required: ['onchain-launch-id'],
    plan: (options) => {
      const onchainLaunchId = hash(options, 'onchain-launch-id');
      return read(`/finalized/${onchainLaunchId}`, finalizedRecordSchema, { onchainLaunchId }, true);
    },
  },
};
