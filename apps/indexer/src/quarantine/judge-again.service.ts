import { readsOf, verifyReceipt } from '@launch/chain/sources';
import type { EventKey, Rejudged } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { adapterOf, type Candidate } from '@launch/evm/sources';
import type { StepParts } from '../follow/follow-step.js';
import { rowOf } from '../rows/index-rows.js';
import { evidenceOf, type EvidenceStore } from '../rows/stored-evidence.js';
import type { CommitRepository, Committed } from '../rows/commit.repository.js';
import type { SourceRepository } from '../rows/source.repository.js';
import type { Judgement, QuarantineRepository } from './quarantine.repository.js';

export interface JudgeAgainParts extends Pick<StepParts, 'chainOf'> {
  readonly sources: SourceRepository;
  readonly commits: CommitRepository;
  readonly quarantine: QuarantineRepository;
  readonly blobs: EvidenceStore;
}

const NOT_THERE: Rejudged = { outcome: 'indeterminate', detail: 'the log is no longer in the chain' };

/** Judges one quarantined log again on an operator's command (docs/reference/index-sources.md#quarantine). */
export async function judgeAgain(
  { chainOf, sources, commits, quarantine, blobs }: JudgeAgainParts,
  releaseDigest: Sha256Digest,
  event: EventKey,
): Promise<Rejudged> {
  const row = await sources.find(releaseDigest);
  const adapter = row === null ? null : adapterOf(row.source.sourceVersion);
  if (row === null || adapter === null || !(await quarantine.isThere(releaseDigest, event)))
    return { outcome: 'unknown' };
  const { pair } = chainOf(row.source.chainId);
  const judged = await verifyReceipt(readsOf(pair), row.source, adapter, event.transactionHash);
  if (judged.kind === 'none') return NOT_THERE;
  if (judged.kind !== 'judged') return { outcome: 'indeterminate', detail: judged.reason };
  const isJudgedAgain = ({ candidate }: { readonly candidate: Candidate }): boolean =>
    candidate.anchor.logIndex === event.logIndex;
  const open = judged.open.find(isJudgedAgain);
  if (open !== undefined) return { outcome: 'indeterminate', detail: open.reason };
  const launch = judged.launches.find(isJudgedAgain);
  if (launch === undefined || judged.receipt.block.hash !== event.blockHash) return NOT_THERE;
  const { evidenceSha256, documents } = evidenceOf(launch);
  await blobs.putAll(documents);
  const found = rowOf(launch, judged.receipt, evidenceSha256);
  const judgement = await judgementOf(commits, releaseDigest, found);
  if ('kind' in judgement) return { outcome: 'indeterminate', detail: judgement.reason };
  await quarantine.append(releaseDigest, event, judgement);
  const { reason, detail } = judgement;
  if (reason === null && 'launch' in found) return { outcome: 'pass', tokenAddress: found.launch.record.tokenAddress };
  return { outcome: 'fail', reason: reason ?? 'IDENTITY_ALREADY_TAKEN', detail };
}

async function judgementOf(
  commits: CommitRepository,
  releaseDigest: Sha256Digest,
  found: ReturnType<typeof rowOf>,
): Promise<Judgement | Extract<Committed, { kind: 'contested' }>> {
  if ('quarantined' in found) {
    const { reason, detail } = found.quarantined;
    return { outcome: 'fail', reason, detail };
  }
  const admitted = await commits.admitJudged(releaseDigest, found.launch);
  if (admitted.kind === 'contested') return admitted;
  if (admitted.kind === 'written') return { outcome: 'pass', reason: null, detail: 'it holds' };
  const { tokenAddress } = found.launch.record;
  const detail = 'its token, pool or launch id has a row';
  return { outcome: 'fail', reason: 'IDENTITY_ALREADY_TAKEN', detail, tokenAddress };
}
