import type {
  ObservationMemory,
  ObservedPoll,
  ObservePollInput,
  PublishRecordInput,
} from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';

/** A poll whose earlier state is verified. */
export type PollInput = Omit<ObservePollInput, 'before'> & { readonly memory: ObservationMemory | null };

/** A poll before it is signed. */
export type Poll = ObservedPoll & { readonly nextPollMs: number };

/** A record to build from a verified poll. */
export type RecordInput = Omit<PublishRecordInput, 'observed'> & {
  readonly memory: ObservationMemory;
  readonly evidenceSha256: Sha256Digest;
  readonly finalizedAt: string;
};
