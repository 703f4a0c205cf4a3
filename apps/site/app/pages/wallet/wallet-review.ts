import {
  agreesThroughout,
  reviewHandoff,
  type HandoffCheck,
  type HandoffClaim,
  type HandoffFact,
  type ReviewedTransaction,
  type TrustedDeployment,
} from '@launch/handoff';
import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import { planRequestSchema } from '@launch/contracts/plans';
import { planStepsOf } from '@launch/evm';
import type { Obstacle } from './wallet-flow.js';
import { offeredStep } from './wallet-progress.js';
import type { Material, Resource, Target } from './wallet-source.js';

/** The values that the page takes from the operator of the site and from the link, never from the service. */
export interface Pins {
  readonly trusted: readonly TrustedDeployment[];
  /** SHA-256 of the request, as 64 hexadecimal digits. */
  readonly requestSha256: string | undefined;
}

/** A hand-off after the comparison with its request. */
export interface Review {
  readonly checks: readonly HandoffCheck[];
  /** Everything that differs or cannot be computed; signing needs none. */
  readonly obstacles: readonly Obstacle[];
  /** Null while there are obstacles. */
  readonly offer: Offer | null;
  readonly facts: readonly HandoffFact[];
}

/** The transactions that the page can ask the wallet for; every byte is recomputed. */
export interface Offer {
  readonly transaction: ReviewedTransaction;
  /** The step of a plan. */
  readonly stepId: string | null;
}

/** Compares the claims of the service with the request's bytes and the deployments that the operator of the site trusts. */
export function reviewOf(target: Target, resource: Resource, material: Material, pins: Pins): Review {
  const claimed = claimIn(resource);
  const review = reviewHandoff({
    ...claimed,
    requestBytes: material.request,
    context: material.context,
    trusted: pins.trusted,
    expectedRequestSha256: pins.requestSha256,
  });
  const checks = [idCheck(target, resource), ...stepsCheck(resource, material), ...review.checks];
  const obstacles = checks.filter(({ verdict }) => verdict !== 'agrees').map(obstacleOf);
  const { transaction } = review;
  const isProven = obstacles.length === 0 && agreesThroughout(review) && transaction !== null;
  return {
    checks,
    obstacles: obstacles.length > 0 || isProven ? obstacles : [UNPROVEN],
    offer: isProven ? { transaction, stepId: claimed.stepId ?? null } : null,
    facts: isProven ? transaction.facts : [],
  };
}

function claimIn(resource: Resource): Pick<HandoffClaim, 'family' | 'handoff' | 'stepId'> {
  switch (resource.family) {
    case 'custom-launch':
      return { family: 'custom-launch', handoff: resource.launch.handoff };
    case 'multi-role':
      return { family: 'multi-role', handoff: resource.launch.wallet };
    case 'plan': {
      const step = offeredStep(resource.plan);
      return { family: 'plan', handoff: step?.authorization ?? null, stepId: step?.stepId ?? '' };
    }
  }
}

/** The service can answer with another launch of the same owner. */
function idCheck({ id }: Target, resource: Resource): HandoffCheck {
  const claimed = resource.family === 'plan' ? resource.plan.planId : resource.launch.launchId;
  return {
    id: 'resource.id',
    subject: resource.family === 'plan' ? 'the plan of your link' : 'the launch of your link',
    claimed,
    computed: id,
    verdict: claimed === id ? 'agrees' : 'differs',
    remedy: 'Do not sign. Open the link that your client printed.',
  };
}

/** Compares the list of steps, which the page shows, with the plan's request. */
function stepsCheck(resource: Resource, { request }: Material): HandoffCheck[] {
  if (resource.family !== 'plan') return [];
  const claimed = resource.plan.steps
    .map(({ ordinal, stepId, kind }) => `${ordinal + 1}. ${stepId} (${kind})`)
    .join(', ');
  const computed = expectedSteps(request);
  return [
    {
      id: 'plan.steps',
      subject: 'the list of steps of the plan',
      claimed,
      computed,
      verdict: claimed === computed ? 'agrees' : 'differs',
      remedy: 'Do not sign. Report the plan to the operator.',
    },
  ];
}

function expectedSteps(request: Uint8Array): string {
  const read = planRequestSchema.safeParse(json(request));
  if (!read.success) return 'the request is no plan';
  return planStepsOf(read.data)
    .map(({ ordinal, stepId, kind }) => `${ordinal + 1}. ${stepId} (${kind})`)
    .join(', ');
}

/** Undefined for bytes that are no JSON, which no schema accepts. */
function json(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

/** Returns a failed check as the page shows it. */
export const obstacleOf = ({ id, subject, claimed, computed, verdict, remedy }: HandoffCheck): Obstacle => ({
  id,
  title: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${verdict === 'differs' ? 'differs' : 'cannot be verified'}.`,
  remedy,
  claimed: clipped(claimed, computed),
  computed: clipped(computed, claimed),
});

const UNPROVEN: Obstacle = {
  id: 'unproven',
  title: 'The page could not compare the transaction.',
  remedy: 'Do not sign. Check again, and report the launch to the operator if this stays.',
  claimed: null,
  computed: null,
};

const SHOWN = 200;
const BEFORE = 20;

/** Shortens a long text to the part in which it first differs from the other. */
function clipped(text: string, other: string): string {
  if (text.length <= SHOWN) return text;
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const from = at >= text.length ? 0 : Math.max(0, at - BEFORE);
  const part = text.slice(from, from + SHOWN);
  const after = from + SHOWN < text.length ? '…' : '';
  return `${from > 0 ? '…' : ''}${part}${after} (${text.length} characters, shown from ${from + 1})`;
}

/**
 * Reads the digest that a link pins: `#request=` and the SHA-256 of the request. Undefined without one; a broken one matches no
 * request.
 */
export function pinnedRequest(fragment: string): string | undefined {
  const pinned = new URLSearchParams(fragment.replace(/^#/, '')).get('request');
  return pinned?.replace(/^sha256:/, '');
}

/** The permit ended while the page was open. */
export const windowEnded = (deadline: bigint): Obstacle => ({
  id: 'expired',
  title: 'The permit has expired. The transaction would fail, so the page does not send it.',
  remedy: 'Pack and submit a new request.',
  claimed: null,
  computed: `sent before ${new Date(Number(deadline) * 1_000).toISOString()}`,
});
