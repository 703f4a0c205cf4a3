import { observationStatement, recordStatement } from '@launch/contracts/activities';
import type { FinalityActivities, ObservationMemory, SignedPoll, StatedHandoff } from '@launch/contracts/orchestration';
import type { Ed25519Signer, Ed25519Verifier } from '@launch/platform';
import { FinalityError } from './finality.error.js';
import type { LaunchLoader, StoredLaunchName } from './launch/launch.loader.js';
import type { Poll, PollInput, RecordInput } from './observation/poll.types.js';
import type { Sha256Digest } from '@launch/contracts/primitives';

export interface UnsignedPolls {
  observe(input: PollInput): Promise<Poll>;
  buildFinalizedRecord(input: RecordInput): Promise<{ readonly recordSha256: Sha256Digest }>;
}

/** The finality worker's own key, and the keys of the polls that it continues. */
export interface PollKeys {
  readonly signer: Ed25519Signer;
  readonly verifier: Ed25519Verifier;
}

/**
 * Signs polls and records, and continues only from polls that this service signed for the same hand-off: a step keeps
 * its stage while the observers disagree, so a forged earlier stage would become its own statement.
 * @throws FinalityError `STATEMENT_UNVERIFIED`.
 */
export function signPolls(
  work: UnsignedPolls,
  { launches, signer, verifier }: PollKeys & { readonly launches: LaunchLoader },
): Pick<FinalityActivities, 'observe' | 'buildFinalizedRecord'> {
  const statedOf = async (input: StoredLaunchName & { readonly launchId: string }): Promise<StatedHandoff> => {
    const { launchId, requestSha256, handoffSha256 } = input;
    const { requestHash, contextHash } = (await launches.load(input)).handoff;
    return { launchId, requestSha256, requestHash, contextHash, handoffSha256 };
  };
  const memoryOf = (launch: StatedHandoff, { signed, ...poll }: SignedPoll): ObservationMemory => {
    if (verifier.verify(observationStatement(launch, poll), signed) !== 'valid')
      throw new FinalityError('STATEMENT_UNVERIFIED', 'the earlier poll is not signed by this service');
    return poll.memory;
  };

  return {
    async observe({ before, ...input }) {
      const launch = await statedOf(input);
      const memory = before === null ? null : memoryOf(launch, before);
      const { nextPollMs, ...poll } = await work.observe({ ...input, memory });
      return { ...poll, signed: signer.sign(observationStatement(launch, poll)), nextPollMs };
    },
    async buildFinalizedRecord({ observed, ...input }) {
      const launch = await statedOf(input);
      const memory = memoryOf(launch, observed);
      const { evidenceSha256, observation } = observed;
      if (memory.stage !== 'finalized' || evidenceSha256 === null)
        throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${memory.stage}`);
      const { recordSha256 } = await work.buildFinalizedRecord({
        ...input,
        memory,
        evidenceSha256,
        finalizedAt: observation.at,
      });
      return { recordSha256, signed: signer.sign(recordStatement(launch, { recordSha256, evidenceSha256 })) };
    },
  };
}
