import type { ObserverPair } from '@launch/chain';
import {
  INDEXED_LAUNCHES_PATH,
  indexedLaunchSchema,
  MAX_EVIDENCE_CHARACTERS,
  siteLaunchRecord,
  verificationPathOf,
  type IndexedChain,
  type LaunchRecord,
  type QuarantineReason,
  type TokenMetadata,
} from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { ExchangeError } from '@launch/client-core/transport';
import type { ReadSource } from '../chain/published-sources.js';
import { ReaderError } from '../chain/reader.error.js';
import { verifyLaunch, type VerifiedEvent } from '../chain/verify-launch.js';
import type { ServiceRead } from '../feed/service-read.js';

/** The result of verifying a service's record through both endpoints. */
export type CoinVerification =
  | { readonly kind: 'verified'; readonly metadata: TokenMetadata }
  /** `RECORD_INVALID`: not a record. `RECORD_DIFFERS`: the chain shows another record. `EVENT_ABSENT`: no such event. */
  | {
      readonly kind: 'refused';
      readonly reason: QuarantineReason | 'RECORD_INVALID' | 'RECORD_DIFFERS' | 'EVENT_ABSENT';
      readonly detail: string;
    }
  /** The service has no record or, after a scan, no source launched the coin. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'indeterminate'; readonly reason: string };

interface VerifiedRecord {
  readonly record: LaunchRecord | null;
  readonly verification: CoinVerification;
}

/** Verifies a service's record of a coin against the chain. @throws {ReaderError} `SOURCE_UNKNOWN` @throws {ExchangeError} */
export async function verifyRecord(
  service: ServiceRead,
  pair: ObserverPair,
  sources: readonly ReadSource[],
  { chainId, token }: { readonly chainId: IndexedChain; readonly token: Hex },
): Promise<VerifiedRecord> {
  const answer = await answerOf(service, `${INDEXED_LAUNCHES_PATH}/${chainId}/${token}`);
  if (answer === null) return { record: null, verification: { kind: 'absent' } };
  const parsed = indexedLaunchSchema.safeParse(answer.json);
  if (!parsed.success) return invalid('the record has another form');
  const record = parsed.data.launch;
  if (record.chainId !== chainId || record.tokenAddress.toLowerCase() !== token)
    return invalid('the record is of another coin');
  const source = sources.find(({ releaseDigest }) => releaseDigest === record.sourceReleaseDigest);
  if (source === undefined) throw new ReaderError('SOURCE_UNKNOWN', 'discovery names no such source');
  const verified = await verifyLaunch(pair, source, record.transactionHash);
  const verification = verified.kind === 'indeterminate' ? verified : compared(record, verified.events);
  if (verification.kind !== 'verified') return { record, verification };
  return { record, verification: (await documentFault(service, record.verificationDigest)) ?? verification };
}

/**
 * Fetches the verification document that a record names, and returns what is wrong with it; null for nothing. The reader
 * has made the same document from the chain, so that equal digests mean equal documents.
 */
export async function documentFault(service: ServiceRead, digest: Sha256Digest): Promise<CoinVerification | null> {
  const document = await answerOf(service, verificationPathOf(digest), MAX_EVIDENCE_CHARACTERS);
  if (document === null) return { kind: 'indeterminate', reason: 'the service has no verification document' };
  return sha256Digest(document.bytes) === digest
    ? null
    : { kind: 'refused', reason: 'RECORD_DIFFERS', detail: 'the verification document' };
}

/** Returns the answer, or null if the service has no such record. */
async function answerOf(service: ServiceRead, target: string, maxBytes?: number) {
  try {
    return await service.get(target, maxBytes);
  } catch (error) {
    if (error instanceof ExchangeError && error.httpStatus === 404) return null;
    throw error;
  }
}

const invalid = (detail: string): VerifiedRecord => ({
  record: null,
  verification: { kind: 'refused', reason: 'RECORD_INVALID', detail },
});

/** Compares the record with the chain member by member, including times and digests. */
function compared(record: LaunchRecord, events: readonly VerifiedEvent[]): CoinVerification {
  const event = events.find(({ logIndex }) => logIndex === record.logIndex);
  if (event === undefined)
    return { kind: 'refused', reason: 'EVENT_ABSENT', detail: 'the transaction has no such launch of the source' };
  const { verdict } = event;
  if (verdict.kind === 'refused') return verdict;
  const shown = siteLaunchRecord(verdict.record);
  for (const name of Object.keys(shown) as (keyof LaunchRecord)[])
    if (canonicalJsonText(shown[name]) !== canonicalJsonText(record[name]))
      return { kind: 'refused', reason: 'RECORD_DIFFERS', detail: name };
  return { kind: 'verified', metadata: verdict.metadata };
}
