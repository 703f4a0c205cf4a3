import type { SimulatedTransaction } from '@launch/chain';
import type { Finding, AnyFinding } from '@launch/contracts/errors';
import type { CustomLaunchContext, JudgedRequest } from '@launch/contracts/launch';
import type { LaunchRef, SignedPermit } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import type { EconomicsVerdict, HookFlag, JudgedCustomLaunch, LaunchRehearsalV1, RouterStorage } from '@launch/evm';
import type { Materialization } from '@launch/chain';

/** Facts for the graph's rules: a matching compilation and the clock. */
export interface GraphFacts {
  readonly compiled: {
    readonly components: readonly { readonly componentId: string; readonly hookCallbacks: readonly HookFlag[] }[];
  };
  /** Unix seconds. */
  readonly clocks: readonly number[];
}

/** Facts about a successful signed launch for its hand-off. */
export interface HandoffFacts {
  readonly ref: LaunchRef & { readonly launchId: string };
  readonly signed: SignedPermit;
  readonly createdAt: string;
  readonly simulation: {
    readonly blockNumber: string;
    readonly blockHash: Hex;
    readonly gasUsed: string;
    readonly simulatedAt: string;
  };
  /** The price reading under which custody signed. */
  readonly usdReference: { readonly oneUsdReferenceWei: string; readonly readAt: string } | null;
}

/**
 * A request with its context, and its family's rules, transactions and documents. The steps of admission depend on a
 * family only through this. Findings use the family's own codes.
 */
interface LaunchJudgement {
  readonly artifactHash: () => Hex;
  /** Converts findings of a shared step to the family's codes. */
  readonly reportedFindings: (findings: readonly Finding[]) => readonly AnyFinding[];
  /** Converts findings that refuse the request, with the known facts about its contracts. */
  readonly refusing: (findings: readonly AnyFinding[]) => readonly AnyFinding[];
  readonly scan: () => readonly AnyFinding[];
  readonly source: () => readonly AnyFinding[];
  readonly graph: (facts: GraphFacts) => readonly AnyFinding[];
  /** @param codes of the external contracts, in the request's order. */
  readonly externals: (codes: readonly Hex[]) => readonly AnyFinding[];
  readonly deployment: (
    materialized: Exclude<Materialization, { readonly kind: 'indeterminate' }>,
  ) => readonly AnyFinding[];
  readonly economics: () => { readonly findings: readonly AnyFinding[]; readonly verdict: EconomicsVerdict };
  /** Builds its transactions under an invented signature, and the state in which that signature is valid. */
  readonly rehearsal: (economicsHash: Hex, requestHash: Hex, storage: RouterStorage) => LaunchRehearsalV1;
  readonly reverted: (data: Hex, message?: string) => AnyFinding;
  /** The exact transactions that its controller must send, in order. */
  readonly transactions: (signed: SignedPermit) => readonly SimulatedTransaction[];
  /** The judgement of its first buy by the price; null without a judged buy. */
  readonly initialBuy: {
    readonly feeds: CustomLaunchContext['chainDeployment']['usdReference'];
    /** @param oneUsdReferenceWei the current value of one US dollar. */
    readonly judge: (oneUsdReferenceWei: bigint) => readonly AnyFinding[];
  } | null;
  /** Maximum gas cost in wei; null if the request has no bound. */
  readonly maxGasCostWei: bigint | null;
  /** Builds the document that is handed off. */
  readonly handoff: (facts: HandoffFacts) => object;
}

/** A request of any family with its family's judgement. */
export type JudgedLaunch = LaunchJudgement &
  (
    | { readonly family: 'multi-role.v2'; readonly request: JudgedRequest }
    | { readonly family: CustomLaunchFamily; readonly request: JudgedCustomLaunch }
  );
