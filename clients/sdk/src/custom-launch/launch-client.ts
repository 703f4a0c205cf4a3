import {
  createCustomLaunch,
  getCustomLaunch,
  getCustomLaunchRequest,
  getInitialBuyQuote,
  getLaunchCapabilities,
  getLaunchReadiness,
  listCustomLaunches,
  preflightCustomLaunch,
  type components,
} from '@launch/api-client';
import {
  CUSTOM_LAUNCH_LIST_MEMBERS,
  CUSTOM_LAUNCH_MEMBERS,
  CUSTOM_LAUNCH_PREFLIGHT_MEMBERS,
  INITIAL_BUY_QUOTE_MEMBERS,
  LAUNCH_CAPABILITIES_MEMBERS,
  LAUNCH_READINESS_MEMBERS,
  type SentLaunch,
} from '@launch/client-core/binding';
import { hasLaunchEnded, isLaunchAt } from '@launch/client-core/progress';
import { requireOpenGates } from '../transport/gates.js';
import { LaunchClientError } from '../transport/launch-client.error.js';
import { bodyOf, digestOf, sentOf, type Packed } from '../transport/packed.js';
import { pageSubject, type PageQuery } from '../transport/page.js';
import { readRequest } from '../transport/request-bytes.js';
import { isReplay, Service, type ClientOptions } from '../transport/service.js';
import { waitUntil, type WaitOptions } from '../transport/wait.js';
import { walletTransactionOf, type WalletTransaction } from '../transport/wallet-transaction.js';

export type CustomLaunch = components['schemas']['CustomLaunchResource'];
export type CustomLaunchList = components['schemas']['CustomLaunchList'];
export type CustomLaunchPreflight = components['schemas']['CustomLaunchPreflight'];
export type CustomLaunchContext = components['schemas']['CustomLaunchContext'];

/** The published terms of a launch. */
export interface PublishedContext {
  readonly contextHash: string;
  readonly document: CustomLaunchContext;
  readonly checkpoint: { readonly blockNumber: string; readonly blockHash: string };
  /** The recommended buy in wei; null under profile 4.0, which has no buy. */
  readonly initialBuyWei: string | null;
}

/** A launch after its submission. */
export interface SubmittedLaunch extends CustomLaunch {
  /** Whether these bytes had reserved the launch under this key before. */
  readonly isReplay: boolean;
}

/** A launch whose transaction the wallet can send. */
export interface AuthorizedLaunch extends CustomLaunch {
  readonly walletTransaction: WalletTransaction;
}

const EARLIER_PROFILE = 'service.custom-launch-profile.v4.0';

/** Creates and follows custom launches of one service. It never signs: the wallet is yours. */
export class LaunchClient {
  private readonly service: Service;
  /** The requests of this client, by launch: every read of a launch is compared with its request. */
  private readonly sent = new Map<string, SentLaunch>();

  constructor(options: ClientOptions) {
    this.service = new Service(options);
  }

  /**
   * Reads what a config needs: the context, a checkpoint and the recommended buy.
   * @throws {LaunchClientError} `LAUNCHES_CLOSED` if the service has no context or no checkpoint now
   */
  async context(): Promise<PublishedContext> {
    const { context } = (
      await this.service.call(getLaunchCapabilities, {}, { members: LAUNCH_CAPABILITIES_MEMBERS, subject: undefined })
    ).value;
    const { checkpoint } = (
      await this.service.call(getLaunchReadiness, {}, { members: LAUNCH_READINESS_MEMBERS, subject: undefined })
    ).value;
    if (context === null || checkpoint === null)
      throw new LaunchClientError('LAUNCHES_CLOSED', 'the service has no context or no checkpoint now', {
        retryable: true,
      });
    const { contextHash, document } = context;
    const hasBuy = document.profile.schemaVersion !== EARLIER_PROFILE;
    const initialBuyWei = hasBuy ? await this.recommendedBuy(contextHash) : null;
    return { contextHash, document, checkpoint, initialBuyWei };
  }

  /** Reads the service's verdict on a packed launch. The service stores nothing. */
  async preflight(packed: Packed): Promise<CustomLaunchPreflight> {
    await requireOpenGates(this.service);
    const binding = { members: CUSTOM_LAUNCH_PREFLIGHT_MEMBERS, subject: sentOf(packed) };
    return (await this.service.call(preflightCustomLaunch, { body: bodyOf(packed) }, binding)).value;
  }

  /**
   * Reserves a launch. The same bytes with the same key are always the same launch, so after a failure with
   * `submissionMayExist` submit them again.
   * @param idempotencyKey the packer's key by default
   */
  async submit(packed: Packed, idempotencyKey?: string): Promise<SubmittedLaunch> {
    const request = sentOf(packed);
    await requireOpenGates(this.service);
    const key = idempotencyKey ?? packed.report?.idempotencyKey ?? `v4-${digestOf(packed)}`;
    const answer = await this.service.call(
      createCustomLaunch,
      { header: { 'Idempotency-Key': key }, body: bodyOf(packed) },
      { members: CUSTOM_LAUNCH_MEMBERS, subject: { request } },
    );
    this.sent.set(answer.value.launchId, request);
    return { ...answer.value, isReplay: isReplay(answer) };
  }

  /** Reads a launch. @param packed its request, if another client submitted it: the response is compared with it */
  async get(launchId: string, packed?: Packed): Promise<CustomLaunch> {
    if (packed !== undefined) this.sent.set(launchId, sentOf(packed));
    const binding = { members: CUSTOM_LAUNCH_MEMBERS, subject: { id: launchId, request: this.sent.get(launchId) } };
    return (await this.service.call(getCustomLaunch, { path: { launchId } }, binding)).value;
  }

  /** Reads the request of a launch byte for byte as the service received it. Its SHA-256 is `requestSha256` of the launch. */
  async request(launchId: string): Promise<Uint8Array> {
    const { requestSha256 } = await this.get(launchId);
    return readRequest(this.service, getCustomLaunchRequest, { path: { launchId } }, requestSha256);
  }

  /** Reads one page of the key's launches, newest first. */
  async list(query: PageQuery = {}): Promise<CustomLaunchList> {
    const binding = { members: CUSTOM_LAUNCH_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listCustomLaunches, { query: { ...query } }, binding)).value;
  }

  /** Waits for the transaction that the wallet sends. @throws {LaunchClientError} `LAUNCH_ENDED`, `WAIT_TIMED_OUT` */
  waitFor(launchId: string, goal: 'authorized', options?: WaitOptions): Promise<AuthorizedLaunch>;
  /** Waits until Ethereum has finalized the launch. @throws {LaunchClientError} `LAUNCH_ENDED`, `WAIT_TIMED_OUT` */
  waitFor(launchId: string, goal: 'finalized', options?: WaitOptions): Promise<CustomLaunch>;
  async waitFor(
    launchId: string,
    goal: 'authorized' | 'finalized',
    options: WaitOptions = {},
  ): Promise<CustomLaunch | AuthorizedLaunch> {
    const isReached = ({ status, handoff }: CustomLaunch): boolean =>
      isLaunchAt(goal, status) && (goal === 'finalized' || handoff !== null);
    const launch = await waitUntil(
      () => this.get(launchId),
      (one) => (isReached(one) ? 'reached' : hasLaunchEnded(one.status) ? 'ended' : 'open'),
      { signal: this.service.signal, ...options },
    );
    return goal === 'authorized'
      ? { ...launch, walletTransaction: walletTransactionOf(launch.handoff!.walletTransaction) }
      : launch;
  }

  private async recommendedBuy(contextHash: string): Promise<string> {
    const binding = { members: INITIAL_BUY_QUOTE_MEMBERS, subject: { contextHash } };
    return (await this.service.call(getInitialBuyQuote, {}, binding)).value.recommendedInitialBuyWei;
  }
}

/** Returns a client of custom launches. */
export const createLaunchClient = (options: ClientOptions): LaunchClient => new LaunchClient(options);
