import {
  createLaunch,
  getCapabilities,
  getLaunch,
  getLaunchRequest,
  listLaunches,
  preflight as preflightLaunch,
  registerTransactionHint,
  type components,
} from '@launch/api-client';
import {
  CAPABILITIES_MEMBERS,
  HINT_RECEIPT_MEMBERS,
  MULTI_ROLE_LAUNCH_MEMBERS,
  MULTI_ROLE_LIST_MEMBERS,
  MULTI_ROLE_PREFLIGHT_MEMBERS,
  type MultiRoleSubject,
  type SentMultiRole,
} from '@launch/client-core/binding';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { hasEnded, hasReached, type Stage } from '@launch/multi-role';
import { bodyOf, digestOf, type Packed } from '../transport/packed.js';
import { pageSubject, type PageQuery } from '../transport/page.js';
import { readRequest } from '../transport/request-bytes.js';
import { isReplay, Service, type ClientOptions } from '../transport/service.js';
import { waitUntil, type WaitOptions } from '../transport/wait.js';
import { walletTransactionOf, type WalletTransaction } from '../transport/wallet-transaction.js';

export type MultiRoleLaunch = components['schemas']['LaunchResource'];
export type MultiRoleCapabilities = components['schemas']['Capabilities'];
export type MultiRolePreflight = components['schemas']['PreflightResult'];
export type MultiRoleList = components['schemas']['LaunchList'];
export type TransactionHintReceipt = components['schemas']['TransactionHintReceipt'];

/** The bytes of a packed multi-role request. */
export type PackedMultiRole = Pick<Packed, 'bytes'> & { readonly report?: { readonly idempotencyKey: string } };

export interface SubmittedMultiRoleLaunch extends MultiRoleLaunch {
  readonly isReplay: boolean;
}

/** A launch whose transaction the wallet can send. */
export interface AuthorizedMultiRoleLaunch extends MultiRoleLaunch {
  readonly walletTransaction: WalletTransaction;
}

/** Creates and follows multi-role launches of one service. It never signs: the wallet is yours. */
export class MultiRoleClient {
  private readonly service: Service;
  /** The launches of this client: every read of one is compared with its request and with its first response. */
  private readonly known = new Map<string, MultiRoleSubject>();

  constructor(options: ClientOptions) {
    this.service = new Service(options);
  }

  /** Reads the capabilities, with the context that a request contains. */
  async capabilities(): Promise<MultiRoleCapabilities> {
    const binding = { members: CAPABILITIES_MEMBERS, subject: undefined };
    return (await this.service.call(getCapabilities, {}, binding)).value;
  }

  /** Reads the service's verdict on a packed request. The service stores nothing. */
  async preflight(packed: PackedMultiRole): Promise<MultiRolePreflight> {
    const binding = { members: MULTI_ROLE_PREFLIGHT_MEMBERS, subject: sentOf(packed) };
    return (await this.service.call(preflightLaunch, { body: bodyOf(packed) }, binding)).value;
  }

  /** Reserves a launch. The same bytes with the same key are always the same launch. */
  async create(packed: PackedMultiRole, idempotencyKey?: string): Promise<SubmittedMultiRoleLaunch> {
    const key = idempotencyKey ?? packed.report?.idempotencyKey ?? `mr-v2-${digestOf(packed)}`;
    const sent = sentOf(packed);
    const answer = await this.service.call(
      createLaunch,
      { header: { 'Idempotency-Key': key }, body: bodyOf(packed) },
      { members: MULTI_ROLE_LAUNCH_MEMBERS, subject: { idempotencyKey: key, sent } },
    );
    const { launchId, onchainLaunchId } = answer.value;
    this.known.set(launchId, { launchId, onchainLaunchId, idempotencyKey: key, sent });
    return { ...answer.value, isReplay: isReplay(answer) };
  }

  /** Reads a launch. @param packed its request, if another client created it: the response is compared with it */
  async get(launchId: string, packed?: PackedMultiRole): Promise<MultiRoleLaunch> {
    if (packed !== undefined) this.known.set(launchId, { ...this.known.get(launchId), launchId, sent: sentOf(packed) });
    const binding = { members: MULTI_ROLE_LAUNCH_MEMBERS, subject: this.known.get(launchId) ?? { launchId } };
    return (await this.service.call(getLaunch, { path: { launchId } }, binding)).value;
  }

  /** Reads the request of a launch byte for byte as the service received it. Its SHA-256 is `requestSha256` of the launch. */
  async request(launchId: string): Promise<Uint8Array> {
    const { requestSha256 } = await this.get(launchId);
    return readRequest(this.service, getLaunchRequest, { path: { launchId } }, requestSha256);
  }

  /** Reads one page of the key's launches, newest first. */
  async list(query: PageQuery = {}): Promise<MultiRoleList> {
    const binding = { members: MULTI_ROLE_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listLaunches, { query: { ...query } }, binding)).value;
  }

  /** Names the transaction of a launch. It is a hint: the service finds the launch without it. */
  async hint(launchId: string, transactionHash: `0x${string}`): Promise<TransactionHintReceipt> {
    const body = canonicalizeJson({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash });
    const binding = { members: HINT_RECEIPT_MEMBERS, subject: { launchId, transactionHash } };
    const input = { path: { launchId }, body: new Uint8Array(body) };
    return (await this.service.call(registerTransactionHint, input, binding)).value;
  }

  /** Waits for the transaction that the wallet sends. @throws {LaunchClientError} `LAUNCH_ENDED`, `WAIT_TIMED_OUT` */
  waitFor(launchId: string, stage: 'authorized', options?: WaitOptions): Promise<AuthorizedMultiRoleLaunch>;
  /** Waits until a launch has reached a stage. @throws {LaunchClientError} `LAUNCH_ENDED`, `WAIT_TIMED_OUT` */
  waitFor(launchId: string, stage: Exclude<Stage, 'authorized'>, options?: WaitOptions): Promise<MultiRoleLaunch>;
  async waitFor(
    launchId: string,
    stage: Stage,
    options: WaitOptions = {},
  ): Promise<MultiRoleLaunch | AuthorizedMultiRoleLaunch> {
    const isReached = (launch: MultiRoleLaunch): boolean =>
      stage === 'authorized' ? launch.wallet !== null : hasReached(launch, stage);
    const launch = await waitUntil(
      () => this.get(launchId),
      (one) => (isReached(one) ? 'reached' : hasEnded(one) ? 'ended' : 'open'),
      { signal: this.service.signal, ...options },
    );
    return stage === 'authorized'
      ? { ...launch, walletTransaction: walletTransactionOf(launch.wallet!.walletTransaction) }
      : launch;
  }
}

const sentOf = ({ bytes }: PackedMultiRole): SentMultiRole => ({
  requestSha256: sha256Digest(bytes),
  requestHash: keccak256Hex(bytes),
  request: parseStrictJson(bytes) as unknown as SentMultiRole['request'],
});

/** Returns a client of multi-role launches. */
export const createMultiRoleClient = (options: ClientOptions): MultiRoleClient => new MultiRoleClient(options);
