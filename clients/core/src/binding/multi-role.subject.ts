import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Wire } from './wire.types.js';

/** A multi-role request as its program sent or saved it: the values that responses repeat. */
export interface SentMultiRole {
  readonly requestSha256: string;
  readonly requestHash: string;
  /** The rest of the request; absent where the program sent bytes that it does not read. */
  readonly request?:
    | Pick<Wire<CreateRequest>, 'launchWallet' | 'nonce' | 'permitWindow' | 'contextCommitments' | 'funding'>
    | undefined;
}

/** The multi-role launch that a call is about. A program compares what it knows. */
export interface MultiRoleSubject {
  readonly launchId?: string | undefined;
  readonly onchainLaunchId?: string | undefined;
  readonly contextHash?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly sent?: SentMultiRole | undefined;
}
