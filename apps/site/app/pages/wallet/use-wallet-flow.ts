import type { TrustedDeployment } from '@launch/handoff';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Hex } from 'viem';
import { LaunchClientError } from '@launch/sdk';
import { useSession, type SessionAccount } from '../../session/session.js';
import type { LaunchClients } from '../../session/session-clients.js';
import { walletFailure } from '../../session/wallet-failure.js';
import { useSettings } from '../../site/site-data.js';
import { advance, START, type Flow, type FlowEvent, type SentTransaction } from './wallet-flow.js';
import { inspect, NO_WALLET, type Inspection } from './wallet-inspection.js';
import { forget, recall, remember } from './wallet-memory.js';
import { hasNextStep, idleReason, progressOf, type Progress } from './wallet-progress.js';
import { readReceipt, sendBatch, sendTransaction, type WalletProvider } from './wallet-provider.js';
import { pinnedRequest, reviewOf, windowEnded, type Offer, type Review } from './wallet-review.js';
import { readMaterial, readResource, SourceError, type Resource, type Target } from './wallet-source.js';

/** Everything that the page shows beside the state. */
export interface Shown {
  readonly resource: Resource | null;
  readonly review: Review | null;
  readonly inspection: Inspection | null;
  readonly following: Following;
}

/** The progress of a transaction on its way. */
export interface Following {
  readonly progress: Progress | null;
  /** The receipt that the wallet's own provider shows. */
  readonly receipt: 'success' | 'reverted' | null;
  /** The reason why the last read failed; null after a success. */
  readonly fault: string | null;
  /** The reason why the service does not have the hash; null if it has it, or needs none. */
  readonly unnamed: string | null;
}

const NOTHING: Following = { progress: null, receipt: null, fault: null, unnamed: null };
const EMPTY: Shown = { resource: null, review: null, inspection: null, following: NOTHING };
const FOLLOW_MS = 3_000;
const CLOCK_MS = 1_000;

/** Runs the flow of one launch or plan: performs the work of each state, and reports its outcome as an event. */
export function useWalletFlow(clients: LaunchClients, target: Target) {
  const { account } = useSession();
  const { trustedDeployments } = useSettings();
  const current = useRef<Flow>(START);
  const [flow, setFlow] = useState<Flow>(START);
  const [shown, setShown] = useState(EMPTY);
  const { kind, id } = target;

  const dispatch = useCallback((event: FlowEvent): Flow => {
    current.current = advance(current.current, event);
    setFlow(current.current);
    return current.current;
  }, []);
  const show = useCallback((part: Partial<Shown>) => setShown((before) => ({ ...before, ...part })), []);

  // Another account or chain of the wallet begins the review again.
  useEffect(() => {
    dispatch({ type: 'restarted' });
  }, [dispatch, account?.address, account?.chainId]);

  useEffect(() => {
    if (flow.is !== 'reading') return;
    let isLive = true;
    const report = (event: FlowEvent): void => void (isLive && dispatch(event));
    const read = async (): Promise<void> => {
      const sent = recall(sessionStorage, id);
      if (sent !== null) return report({ type: 'restored', sent });
      const resource = await readResource(clients.api, { kind, id });
      const why = idleReason(resource);
      if (isLive) show({ ...EMPTY, resource });
      if (why !== null) return report({ type: 'nothing-to-sign', why });
      const material = await readMaterial(clients.api, { kind, id }, resource);
      const requestSha256 = pinnedRequest(location.hash);
      const review = reviewOf({ kind, id }, resource, material, { trusted: trustedDeployments, requestSha256 });
      if (isLive) show({ review });
      if (review.offer === null) return report({ type: 'refused', obstacles: review.obstacles });
      const inspection = await inspectWith(account, review.offer, trustedDeployments);
      if (isLive) show({ inspection });
      report({ type: 'inspected', obstacles: inspection.obstacles });
    };
    read().catch((error: unknown) => report({ type: 'read-failed', message: sentenceOf(error) }));
    return () => {
      isLive = false;
    };
  }, [flow, account, clients, dispatch, id, kind, show, trustedDeployments]);

  const { review } = shown;
  useEffect(() => {
    if (review?.offer == null || (flow.is !== 'ready' && flow.is !== 'obstructed')) return;
    const { deadline } = review.offer.transaction;
    const timer = setInterval(() => {
      if (BigInt(Math.floor(Date.now() / 1_000)) <= deadline) return;
      clearInterval(timer);
      dispatch({ type: 'window-ended', obstacle: windowEnded(deadline) });
    }, CLOCK_MS);
    return () => clearInterval(timer);
  }, [dispatch, flow.is, review]);

  const followed = flow.is === 'following' ? flow.sent : null;
  useEffect(() => {
    if (followed === null) return;
    let isLive = true;
    const follow = async (): Promise<void> => {
      const part = await readFollowing(clients, { kind, id }, followed, account);
      if (!isLive) return;
      setShown((before) => ({ ...before, following: { ...before.following, ...part.following } }));
      if (part.next === 'step') {
        forget(sessionStorage, id);
        setShown((before) => ({ ...before, following: NOTHING }));
        dispatch({ type: 'step-included' });
      } else if (part.next !== null) {
        dispatch({ type: 'settled', outcome: part.next });
      }
    };
    void follow();
    const timer = setInterval(() => void follow(), FOLLOW_MS);
    return () => {
      isLive = false;
      clearInterval(timer);
    };
  }, [account, clients, dispatch, followed, id, kind]);

  const send = useCallback(async (): Promise<void> => {
    if (review?.offer == null || dispatch({ type: 'confirmed' }).is !== 'rechecking') return;
    try {
      const inspection = await inspectWith(account, review.offer, trustedDeployments);
      show({ inspection });
      if (inspection.obstacles.length > 0) return void dispatch({ type: 'inspected', obstacles: inspection.obstacles });
      // Without the transition, the review began again meanwhile, and the wallet is not asked.
      if (account === null || dispatch({ type: 'asked' }).is !== 'asking') return;
      const hash = await sendOffer(await providerOf(account), account, review.offer);
      const sent = { id, stepId: review.offer.stepId, hash };
      remember(sessionStorage, sent);
      dispatch({ type: 'sent', sent });
      const unnamed = await nameTransaction(clients, shown.resource, sent);
      setShown((before) => ({ ...before, following: { ...before.following, unnamed } }));
    } catch (error) {
      dispatch({ type: 'declined', message: walletFailure(error).message });
    }
  }, [account, clients, dispatch, id, review, show, shown.resource, trustedDeployments]);

  const restart = useCallback(() => void dispatch({ type: 'restarted' }), [dispatch]);
  /** Reviews the hand-off again although this tab sent it: the transaction was dropped or replaced. */
  const release = useCallback(() => {
    forget(sessionStorage, id);
    current.current = START;
    setShown(EMPTY);
    setFlow(START);
  }, [id]);
  return { flow, shown, send, restart, release };
}

const providerOf = async (account: SessionAccount): Promise<WalletProvider> =>
  (await account.provider()) as unknown as WalletProvider;

async function inspectWith(
  account: SessionAccount | null,
  offer: Offer,
  trusted: readonly TrustedDeployment[],
): Promise<Inspection> {
  return account === null ? NO_WALLET : inspect(await providerOf(account), offer, trusted);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function sendOffer(provider: WalletProvider, { address }: SessionAccount, { transaction }: Offer): Promise<Hex> {
  const { calls, isBatch } = transaction;
  return isBatch ? sendBatch(provider, address, calls, pause) : sendTransaction(provider, address, calls[0]!);
}

/** Gives the service the hash where a route exists. The service finds every launch without it, so a failure delays nothing. */
async function nameTransaction(
  { plans, multiRole }: LaunchClients,
  resource: Resource | null,
  { id, stepId, hash }: SentTransaction,
): Promise<string | null> {
  try {
    if (resource?.family === 'plan' && stepId !== null) await plans.prove(id, stepId, hash);
    if (resource?.family === 'multi-role') await multiRole.hint(id, hash);
    return null;
  } catch (error) {
    if (error instanceof LaunchClientError) return error.message;
    throw error;
  }
}

interface FollowingRead {
  readonly following: Partial<Following>;
  readonly next: 'step' | 'finalized' | 'failed' | null;
}

async function readFollowing(
  clients: LaunchClients,
  target: Target,
  sent: SentTransaction,
  account: SessionAccount | null,
): Promise<FollowingRead> {
  try {
    const resource = await readResource(clients.api, target);
    const progress = progressOf(resource, sent.stepId);
    const receipt = account === null ? null : await readReceipt(await providerOf(account), sent.hash);
    const isNext = resource.family === 'plan' && progress.outcome === 'open' && hasNextStep(resource.plan, sent.stepId);
    return {
      following: { progress, fault: null, ...(receipt === null ? {} : { receipt }) },
      next: isNext ? 'step' : progress.outcome === 'open' ? null : progress.outcome,
    };
  } catch (error) {
    return { following: { fault: sentenceOf(error) }, next: null };
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof SourceError ? error.message : walletFailure(error).message;
