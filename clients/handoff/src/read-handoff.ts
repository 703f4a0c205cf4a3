import { customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import { walletHandoffSchema } from '@launch/contracts/multi-role';
import { stepAuthorizationSchema } from '@launch/contracts/plans';
import type { Hex } from '@launch/evm';
import type { HandoffClaim, ReviewedCall } from './handoff.types.js';

/** The members of a hand-off, of every family, that a request determines. Absent ones are not part of the form. */
export interface ClaimedHandoff {
  readonly calls: readonly ReviewedCall[];
  readonly isBatch: boolean;
  readonly from: string | null;
  readonly chainId: string | null;
  readonly validAfter: string;
  readonly deadline: string;
  readonly requestSha256: string | null;
  readonly requestHash?: string;
  readonly contextHash?: string;
  readonly artifactHash?: string;
  readonly permitDigest?: string;
  readonly expiresAt?: string;
  readonly metadata?: { readonly name: string; readonly symbol: string; readonly imageSha256: string };
  /** Digest of an atomic batch. */
  readonly digest?: string;
}

interface WireCall {
  readonly to: string;
  readonly value: string;
  readonly data: string;
}
const callOf = ({ to, value, data }: WireCall): ReviewedCall => ({
  to: to as Hex,
  value: BigInt(value),
  data: data as Hex,
});

/** Reads a hand-off. @throws ZodError if it has not the form of its family */
export function readHandoff({ family, handoff }: Pick<HandoffClaim, 'family' | 'handoff'>): ClaimedHandoff {
  switch (family) {
    case 'custom-launch': {
      const read = customLaunchHandoffSchema.parse(handoff);
      return { ...ofTransaction(read), expiresAt: read.expiresAt, metadata: read.metadata };
    }
    case 'multi-role':
      return ofTransaction(walletHandoffSchema.parse(handoff));
    case 'plan': {
      const read = stepAuthorizationSchema.parse(handoff);
      const { validAfter, deadline } = read;
      if (read.form === 'atomic.v1')
        return {
          calls: read.calls.map(callOf),
          isBatch: true,
          from: null,
          chainId: null,
          validAfter,
          deadline,
          requestSha256: null,
          digest: read.digest,
        };
      const { from, chainId, requestSha256 } = read;
      return { calls: [callOf(read)], isBatch: false, from, chainId, validAfter, deadline, requestSha256 };
    }
  }
}

const ofTransaction = (read: {
  readonly walletTransaction: WireCall & { readonly from: string; readonly chainId: string };
  readonly validAfter: string;
  readonly deadline: string;
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly contextHash: string;
  readonly artifactHash: string;
  readonly permitDigest: string;
}): ClaimedHandoff => ({
  calls: [callOf(read.walletTransaction)],
  isBatch: false,
  from: read.walletTransaction.from,
  chainId: read.walletTransaction.chainId,
  validAfter: read.validAfter,
  deadline: read.deadline,
  requestSha256: read.requestSha256,
  requestHash: read.requestHash,
  contextHash: read.contextHash,
  artifactHash: read.artifactHash,
  permitDigest: read.permitDigest,
});
