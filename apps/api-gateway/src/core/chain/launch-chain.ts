import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { IndexedChain } from '@launch/contracts/index';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { CHAIN_ID, type Hex } from '@launch/contracts/primitives';
import type { LaunchReadiness } from '@launch/contracts/reports';
import {
  commonHead,
  judgeCheckpoint,
  finalityPolicyReasons,
  latestHeaders,
  noncesUsed,
  observersOfContext,
  readPinnedContracts,
  readPinnedFeeds,
  readUsdReference,
  type Checkpoint,
  type CheckpointVerdict,
  type ObservedUsdReference,
  type PinnedUsdFeeds,
  type ObserverPair,
} from '@launch/chain';
import { Gathering } from '@launch/platform';
import type { RpcBudget } from '../../platform/rate-limits/anonymous-rpc.budget.js';
import { ShortMemory } from './short-memory.js';
import { codeShownBy, type ShownCode } from './shown-code.js';

/** Names the chain that the process observes. */
export const LAUNCH_CHAIN = Symbol('LaunchChain');

/**
 * The Unix seconds at which a permit window is judged, one for each clock, or the reason why no window passes.
 * `unusable`: the chain's clocks are unknown, and the server's clock alone can only fail a window. `skewed`: the chain's
 * clocks differ from the server's, which is therefore in doubt too.
 */
export type WindowClocks =
  | { readonly kind: 'in-step'; readonly seconds: readonly number[] }
  | { readonly kind: 'unusable' | 'skewed'; readonly reason: string };

/** The chain reads of the gateway. Every answer is three-valued. */
export interface LaunchChain {
  /** Returns why deployed contracts, price feeds, observers or the finality rule differ from the context's; empty when none does. */
  readinessReasons(context: LaunchContext | CustomLaunchContext): Promise<readonly string[]>;
  /** Reads the server's clock and both L2 heads, while they are at most 120 s apart. */
  clocks(): Promise<WindowClocks>;
  /** Returns a block that both L2 observers have now; null while they disagree. */
  checkpoint(): Promise<LaunchReadiness['checkpoint']>;
  /** Judges whether both observers have the block that a request was packed at, and it is at most 24 hours old. */
  judgeCheckpoint(checkpoint: Checkpoint): Promise<CheckpointVerdict>;
  /** Reads the value of one US dollar by both price feeds now; null from a gateway that reads only one chain. */
  readUsdReference(feeds: PinnedUsdFeeds): Promise<ObservedUsdReference | null>;
  /**
   * Returns the keccak-256 of the code that each observer of a chain shows at an account; empty without observers there.
   * @throws ApiError `SERVICE_UNAVAILABLE` when anonymous requests have used up their budget for provider calls.
   */
  codeShown(chainId: IndexedChain, address: Hex, at: 'latest' | bigint): Promise<readonly ShownCode[]>;
  /** Returns whether the router has spent the nonce; null when the observers disagree. */
  nonceUsed(router: Hex, controller: Hex, nonce: bigint): Promise<boolean | null>;
}

interface AskedNonce {
  readonly router: Hex;
  readonly controller: Hex;
  readonly nonce: bigint;
}

const HEADS_KEPT_MS = 1_000;
/** Cached, since requests are packed at the block that readiness shows and many name the same. */
const CHECKPOINT_KEPT_MS = 5_000;
const CHECKPOINTS_KEPT = 256;
/** Cached, since anonymous requests may name any account. */
const CODES_KEPT_MS = 5_000;
const UNBOUNDED: RpcBudget = async () => undefined;
const CODES_KEPT = 1_024;

/**
 * Creates the chain reads over two observers for each chain.
 * @param budget pays for reads whose subject an anonymous request names. All other reads run at most once a second.
 */
export function createLaunchChain(
  l2: ObserverPair,
  l1: ObserverPair | null,
  now: () => number,
  budget: RpcBudget = UNBOUNDED,
): LaunchChain {
  // Concurrent creates share one poll of the heads.
  const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => {
    let last: { readonly at: number; readonly reading: Promise<T> } | undefined;
    return () => {
      if (last === undefined || now() - last.at > HEADS_KEPT_MS) last = { at: now(), reading: read() };
      return last.reading;
    };
  };

  const readClocks = async (): Promise<WindowClocks> => {
    const reading = await latestHeaders(l2, now);
    switch (reading.kind) {
      case 'in-step':
        return {
          kind: 'in-step',
          seconds: [reading.serverSeconds, ...reading.headers.map(({ timestamp }) => timestamp)].map(Number),
        };
      case 'skewed':
        return {
          kind: 'skewed',
          reason: `observer ${reading.observer} is ${reading.skewSeconds} s away from the server's clock`,
        };
      case 'indeterminate':
        return { kind: 'unusable', reason: reading.reason };
    }
  };

  const checkpoints = new ShortMemory<CheckpointVerdict>({
    keptMs: CHECKPOINT_KEPT_MS,
    size: CHECKPOINTS_KEPT,
    now,
    keeps: ({ kind }) => kind !== 'indeterminate',
  });
  const checkpointVerdict = (asked: Checkpoint): Promise<CheckpointVerdict> =>
    checkpoints.recall(`${asked.blockNumber} ${asked.blockHash}`, () => judgeCheckpoint(l2, asked, now));

  const codes = new ShortMemory<readonly ShownCode[]>({ keptMs: CODES_KEPT_MS, size: CODES_KEPT, now });

  const references = new WeakMap<PinnedUsdFeeds, () => Promise<ObservedUsdReference>>();
  const usdReference = async (feeds: PinnedUsdFeeds): Promise<ObservedUsdReference | null> => {
    if (l1 === null) return null;
    let read = references.get(feeds);
    if (read === undefined) references.set(feeds, (read = shared(() => readUsdReference({ l2, l1 }, feeds, now))));
    return read();
  };

  const clocks = shared(readClocks);
  const head = shared(() => commonHead(l2));
  const checkpoint = shared(async (): Promise<LaunchReadiness['checkpoint']> => {
    const at = await head();
    return at.kind === 'indeterminate' ? null : { blockNumber: at.value.number.toString(), blockHash: at.value.hash };
  });

  // Nonces of concurrent creates are read together, in one batch for each router.
  const nonces = new Gathering<AskedNonce, boolean | null>(
    async (asked) => {
      const at = await head();
      if (at.kind === 'indeterminate') return asked.map(() => null);
      const routers = [...new Set(asked.map(({ router }) => router))];
      const used = new Map<AskedNonce, boolean | null>();
      await Promise.all(
        routers.map(async (router) => {
          const ours = asked.filter((one) => one.router === router);
          const answers = await noncesUsed(l2, router, ours, { hash: at.value.hash });
          ours.forEach((one, index) => used.set(one, answers[index] ?? null));
        }),
      );
      return asked.map((one) => used.get(one) ?? null);
    },
    { lingerMs: 10 },
  );

  return {
    async readinessReasons(context) {
      const configured = [
        ...finalityPolicyReasons(context),
        ...observersOfContext(context, { l2, ...(l1 === null ? {} : { l1 }) }),
      ];
      if (configured.length > 0) return configured;
      if (!('usdReference' in context.chainDeployment)) return readPinnedContracts(l2, context);
      if (l1 === null) return ['L1_OBSERVERS_NOT_CONFIGURED'];
      const { usdReference } = context.chainDeployment;
      const reasons = await Promise.all([readPinnedContracts(l2, context), readPinnedFeeds({ l2, l1 }, usdReference)]);
      return [...new Set(reasons.flat())];
    },
    clocks,
    checkpoint,
    judgeCheckpoint: checkpointVerdict,
    readUsdReference: usdReference,
    codeShown: (chainId, address, at) =>
      codes.recall(`${chainId} ${address} ${at}`, async () => {
        const pair = chainId === CHAIN_ID ? l2 : l1;
        if (pair !== null) await budget(pair.length);
        return codeShownBy(pair, address, at);
      }),
    nonceUsed: (router, controller, nonce) => nonces.ask({ router, controller, nonce }),
  };
}

/** The chain of a gateway without observers: nothing can be judged, so nothing is accepted. */
export const UNOBSERVED_CHAIN: LaunchChain = {
  readinessReasons: async () => ['L2_OBSERVERS_NOT_CONFIGURED'],
  clocks: async () => ({ kind: 'unusable', reason: 'no observers are configured' }),
  checkpoint: async () => null,
  judgeCheckpoint: async () => ({ kind: 'indeterminate', reason: 'no observers are configured' }),
  readUsdReference: async () => null,
  codeShown: async () => [],
  nonceUsed: async () => null,
};
