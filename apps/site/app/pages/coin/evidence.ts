import { canonicalSha256 } from '@launch/contracts/primitives';
import type { CoinFacts, LaunchRecord, Verification } from './coin-facts.js';

type NamedRead = Verification['reads'][number];

/** Something that a reader can look up to check an answer. */
export type Evidence =
  /** A document of the API. */
  | { readonly is: 'document'; readonly label: string; readonly path: string; readonly digest: string | null }
  /** A read of a contract at the block of the launch. `answer` is what the digest of the document proves, null if it proves none. */
  | {
      readonly is: 'getter';
      readonly name: string;
      readonly to: string;
      readonly data: string | null;
      readonly answer: string | null;
      readonly answerSha256: string;
    }
  | {
      readonly is: 'log';
      readonly label: string;
      readonly transactionHash: string;
      readonly logIndex: number;
      readonly sha256: string | null;
    }
  | {
      readonly is: 'block';
      readonly label: string;
      readonly number: string;
      readonly hash: string;
      readonly onEthereum: boolean;
    }
  | { readonly is: 'value'; readonly label: string; readonly value: string }
  /** A rule of the service, in its reference. */
  | { readonly is: 'rule'; readonly label: string; readonly href: string };

export const rule = (label: string, page: string): Evidence => ({ is: 'rule', label, href: `/docs/reference/${page}` });

export const value = (label: string, text: string): Evidence => ({ is: 'value', label, value: text });

/** The log that is the launch, with the digest of its bytes where the verification document has it. */
export const launchLog = (launch: LaunchRecord, verification: Verification | null): Evidence => ({
  is: 'log',
  label: 'The event of the launch',
  transactionHash: launch.transactionHash,
  logIndex: launch.logIndex,
  sha256: verification?.logs.find(({ logIndex }) => logIndex === launch.logIndex)?.sha256 ?? null,
});

export const launchBlock = ({ blockNumber, blockHash, chainId }: LaunchRecord): Evidence => ({
  is: 'block',
  label: 'The block of the launch',
  number: blockNumber,
  hash: blockHash,
  onEthereum: chainId === 1,
});

/** The documents by which the index judged the launch. */
export function indexDocuments({ chainId, token, indexed, verification }: CoinFacts): readonly Evidence[] {
  if (indexed === null) return [];
  const { verificationDigest } = indexed.launch;
  return [
    {
      is: 'document',
      label: 'The record of the launch',
      path: `/api/indexers/v1/launches/${chainId}/${token}`,
      digest: null,
    },
    ...(verification === null
      ? []
      : [
          {
            is: 'document',
            label: 'The verification document: every log and read that the launch was judged by',
            path: `/api/indexers/v1/verifications/${verificationDigest.slice('sha256:'.length)}`,
            digest: verificationDigest,
          } as const,
        ]),
  ];
}

export const feedDocument = ({ record }: CoinFacts, label: string): readonly Evidence[] =>
  record === null ? [] : [{ is: 'document', label, path: record.path, digest: null }];

const WORD_DIGITS = 64;
const asWord = (number: bigint): string => `0x${number.toString(16).padStart(WORD_DIGITS, '0')}`;
const readNamed = (verification: Verification | null, name: string): NamedRead | null =>
  verification?.reads.find(({ read }) => read.name === name) ?? null;
const getter = ({ read, answerSha256 }: NamedRead, answer: string | null): Evidence => ({
  is: 'getter',
  name: read.name,
  to: read.to,
  data: read.kind === 'call' ? read.data : null,
  answer,
  answerSha256,
});

/** A read as evidence, without its answer. */
export function namedGetter(verification: Verification | null, name: string): readonly Evidence[] {
  const found = readNamed(verification, name);
  return found === null ? [] : [getter(found, null)];
}

/** An answer that the digest in a verification document proves, and the read that gave it. */
export interface ProvenAnswer<Value> {
  readonly value: Value;
  readonly evidence: Evidence;
}

/**
 * Returns the number that a contract answered. The verification document has the digest of the answer only, so the number is
 * the candidate with the same digest; null if none has it.
 */
export function provenNumber(
  verification: Verification | null,
  name: string,
  candidates: readonly number[],
): ProvenAnswer<number> | null {
  const found = readNamed(verification, name);
  const proven = candidates.find(
    (number) => canonicalSha256({ kind: 'returned', data: asWord(BigInt(number)) }) === found?.answerSha256,
  );
  return found === null || proven === undefined ? null : { value: proven, evidence: getter(found, String(proven)) };
}

/** Returns the proof that a contract answered this address; null if the digest is of another answer. */
export function provenAddress(
  verification: Verification | null,
  name: string,
  address: string,
): ProvenAnswer<string> | null {
  const found = readNamed(verification, name);
  const isProven = canonicalSha256({ kind: 'returned', data: asWord(BigInt(address)) }) === found?.answerSha256;
  return found === null || !isProven ? null : { value: address, evidence: getter(found, address) };
}

/** Returns the proof that an account had code with this hash at the block of the launch. */
export function provenCode(
  verification: Verification | null,
  account: string,
  codeHash: string,
): ProvenAnswer<string> | null {
  const digest = canonicalSha256({ kind: 'code', hash: codeHash });
  const found = verification?.reads.find(
    ({ read, answerSha256 }) => read.kind === 'code' && read.to === account.toLowerCase() && answerSha256 === digest,
  );
  return found === undefined ? null : { value: codeHash, evidence: getter(found, codeHash) };
}
