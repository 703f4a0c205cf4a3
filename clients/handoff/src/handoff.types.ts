import type { Hex } from '@launch/evm';

/** The kind of a request, which decides the form of its hand-off. */
export type HandoffFamily = 'custom-launch' | 'multi-role' | 'plan';

/** A deployment that the reader trusts, by configuration of their own and never by the word of the service. */
export interface TrustedDeployment {
  readonly family: 'custom-launch' | 'multi-role';
  readonly chainId: number;
  readonly router: Hex;
  readonly routerCodeHash: Hex;
  readonly permitAuthorities: readonly Hex[];
  readonly poolManager: Hex;
  readonly contextHash: Hex;
}

/** A hand-off as the service claims it, with the material to recompute it. */
export interface HandoffClaim {
  readonly family: HandoffFamily;
  /** The hand-off of a launch, or the authorization of a plan's step, as received. */
  readonly handoff: unknown;
  /** The step that the authorization belongs to; plans only. */
  readonly stepId?: string;
  /** The request's bytes. */
  readonly requestBytes: Uint8Array;
  /** The context document that the request names. A multi-role request contains its own. */
  readonly context: unknown;
  readonly trusted: readonly TrustedDeployment[];
  /** SHA-256 of the request that the reader expects, as 64 hexadecimal digits; absent if they expect none in particular. */
  readonly expectedRequestSha256?: string | undefined;
}

/** `unknown` is for values that nothing here can recompute. It blocks signing as `differs` does. */
export type HandoffVerdict = 'agrees' | 'differs' | 'unknown';

/** One comparison of a claim with a value of our own. */
export interface HandoffCheck {
  readonly id: string;
  /** The compared thing, in plain words. */
  readonly subject: string;
  readonly claimed: string;
  readonly computed: string;
  readonly verdict: HandoffVerdict;
  /** The next step of the reader unless the values agree. */
  readonly remedy: string;
}

/** A wallet's provider (EIP-1193). */
export interface WalletProvider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A transaction, or a call of a batch. */
export interface ReviewedCall {
  readonly to: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
}

/** A line of the explanation. */
export interface HandoffFact {
  readonly id: string;
  readonly label: string;
  /** The exact value: a decimal string of the smallest unit, an address or a text. */
  readonly value: string;
  /** The value in human units. */
  readonly display: string;
  /** A consequence, in plain words. */
  readonly note: string | null;
}

/** The result of comparing a hand-off with its request. */
export interface HandoffReview {
  readonly family: HandoffFamily;
  /** Every comparison, in the order in which a reader follows them. */
  readonly checks: readonly HandoffCheck[];
  /** Null unless the calldata could be read. */
  readonly transaction: ReviewedTransaction | null;
}

/** The transactions that a wallet would send, all of whose members were recomputed. */
export interface ReviewedTransaction {
  readonly controller: Hex;
  readonly router: Hex;
  readonly signer: Hex;
  readonly nonce: bigint;
  /** Seconds. */
  readonly validAfter: bigint;
  readonly deadline: bigint;
  readonly permitDigest: Hex;
  /** One call, or the calls of an atomic batch in their order. */
  readonly calls: readonly ReviewedCall[];
  readonly isBatch: boolean;
  readonly facts: readonly HandoffFact[];
}
