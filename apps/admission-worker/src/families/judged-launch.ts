import type { SimulatedTransaction } from '@launch/chain';
import type { Finding, AnyFinding } from '@launch/contracts/errors';
import type { CustomLaunchContext, JudgedRequest } from '@launch/contracts/launch';
import type { LaunchRef, SignedPermit } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import type { EconomicsVerdict, HookFlag, JudgedCustomLaunch, LaunchRehearsalV1, RouterStorage } from '@launch/evm';
import type { Materialization } from '@launch/chain';

/** What the graph's rules need of a compile that matched, and of the clock. */
export interface GraphFacts {
  readonly compiled: {
    readonly components: readonly { readonly componentId: string; readonly hookCallbacks: readonly HookFlag[] }[];
  };
  /** Unix seconds. */
  readonly clocks: readonly number[];
}

/** What was seen of a signed launch that succeeds, for its hand-off. */
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
  /** The reading of the price that custody signed by. */
  readonly usdReference: { readonly oneUsdReferenceWei: string; readonly readAt: string } | null;
}

/**
 * A request beside its context, and what its family makes of it: rules, transactions, documents. The steps of admission
 * know nothing else of a family. Findings are in the family's own codes.
 */
interface LaunchJudgement {
  readonly artifactHash: () => Hex;
  /** What a shared step found. */
  readonly told: (findings: readonly Finding[]) => readonly AnyFinding[];
  /** The same of findings that refuse the request, beside what is known of its contracts. */
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
  /** Its transactions under a signature that nobody made, and the state in which that counts. */
  readonly rehearsal: (economicsHash: Hex, requestHash: Hex, storage: RouterStorage) => LaunchRehearsalV1;
  readonly reverted: (data: Hex, message?: string) => AnyFinding;
  /** The exact transactions that its controller is asked for, in order. */
  readonly transactions: (signed: SignedPermit) => readonly SimulatedTransaction[];
  /** How its first buy is judged by the price; null where it has none, or none that is judged. */
  readonly initialBuy: {
    readonly feeds: CustomLaunchContext['chainDeployment']['usdReference'];
    /** @param oneUsdReferenceWei what one US dollar is worth now. */
    readonly judge: (oneUsdReferenceWei: bigint) => readonly AnyFinding[];
  } | null;
  /** What gas may cost at most, wei; null where the request has no bound. */
  readonly maxGasCostWei: bigint | null;
  /** The document that is handed off. */
  readonly handoff: (facts: HandoffFacts) => object;
}

/** A request of some family beside what its family makes of it. */
export type JudgedLaunch = LaunchJudgement &
  (
    | { readonly family: 'multi-role.v2'; readonly request: JudgedRequest }
    | { readonly family: CustomLaunchFamily; readonly request: JudgedCustomLaunch }
  );
