import { Inject, Injectable } from '@nestjs/common';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import {
  CLAIM,
  CONFLICT,
  FIND_BY_KEY,
  FIND_RECEIPT,
  FIND_REVIEW,
  LIST,
  LOCK_AUTHOR,
  READINESS,
  WRITE,
  type KnownRow,
} from './submission.sql.js';

/** The columns that identify one idempotency key. */
export interface SubmissionKey {
  readonly lineageId: string;
  readonly route: string;
  readonly key: string;
}

/** The receipt that a key is bound to, and the digest of the bytes that bound it. */
export interface KeptReceipt {
  readonly submissionId: string;
  readonly bodySha256: Sha256Digest;
  /** Canonical JSON. */
  readonly receipt: string;
}

/** The last report of the review worker about itself, with its time. */
export interface ReportedReadiness {
  readonly document: string;
  readonly reportedAt: Date;
}

/** A review as its author sees it. */
export interface ShownReview {
  /** Canonical JSON. */
  readonly projection: string;
  readonly receivedAt: Date;
  /** Whether the review has reported it; until then it is the status that intake wrote. */
  readonly isReported: boolean;
  /** Read together with it; null before the worker's first report. */
  readonly readiness: ReportedReadiness | null;
}

/** All that receiving a draft writes. */
export interface NewSubmission {
  readonly key: SubmissionKey;
  /** It must be alive when the draft commits. */
  readonly credentialId: string;
  readonly submissionId: string;
  readonly author: string;
  readonly rewardWallet: string;
  readonly family: string;
  readonly familyId: string;
  readonly version: string;
  readonly packageId: string;
  readonly requestDigest: Sha256Digest;
  readonly fileDigests: readonly Sha256Digest[];
  readonly supersedes: string | null;
  readonly receipt: string;
  readonly receivedAt: Date;
  readonly relayAfter: Date;
  /** Canonical JSON of the first review status. */
  readonly projection: string;
}

/** The columns by which drafts can conflict. */
export type DraftIdentity = Pick<NewSubmission, 'author' | 'family' | 'version' | 'packageId' | 'supersedes'>;

/** Conflicts between drafts (docs/reference/modules.md#conflict-order). */
export type DraftConflict =
  | { readonly kind: 'lineage-invalid' }
  | { readonly kind: 'package-known' | 'version-known'; readonly submissionId: string };

export type SubmissionOutcome = { readonly kind: 'received' | 'key-taken' | 'credential-revoked' } | DraftConflict;

/** Reads and writes module drafts, the keys that sent them, and their reviews as authors see them. */
@Injectable()
export class SubmissionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async findByKey({ lineageId, route, key }: SubmissionKey): Promise<KeptReceipt | null> {
    const [row] = await this.database.query(FIND_BY_KEY, [lineageId, route, key]);
    return row ?? null;
  }

  /**
   * Returns the current conflict of a draft. It decides nothing: another draft may be received before this one, and
   * {@link receive} judges again.
   */
  async conflictOf(one: DraftIdentity): Promise<DraftConflict | null> {
    const [row] = await this.database.query(CONFLICT, identityOf(one));
    if (row === undefined) throw new TypeError('a query without a table answers one row');
    return knownOf(row) ?? (row.isLineage ? null : { kind: 'lineage-invalid' });
  }

  /** Claims the key and writes draft, receipt, relay entry and first review status together, or nothing. */
  async receive(one: NewSubmission): Promise<SubmissionOutcome> {
    const undone = new Undone();
    try {
      return await this.database.transaction(async (session) => {
        const outcome = await write(session, one);
        if (outcome.kind === 'received') return outcome;
        undone.outcome = outcome;
        throw undone;
      });
    } catch (error) {
      if (error === undone && undone.outcome !== undefined) return undone.outcome;
      throw error;
    }
  }

  /** Finds an author's receipt; null for absent and foreign receipts. */
  async findReceipt(submissionId: string, author: string | null): Promise<string | null> {
    const [row] = await this.database.query(FIND_RECEIPT, [submissionId, author]);
    return row?.receipt ?? null;
  }

  /** Finds the review of an author's draft; null for absent and foreign drafts. */
  async findReview(submissionId: string, author: string | null): Promise<ShownReview | null> {
    const [row] = await this.database.query(FIND_REVIEW, [submissionId, author]);
    if (row === undefined) return null;
    const { document, reportedAt, ...review } = row;
    return { ...review, readiness: document === null || reportedAt === null ? null : { document, reportedAt } };
  }

  /** Returns when an author's draft was received; null for absent and foreign drafts. */
  async receivedAt(submissionId: string, author: string | null): Promise<Date | null> {
    if (author === null) return null;
    const row = await this.database.prisma.moduleSubmission.findUnique({
      where: { submissionId, author },
      select: { receivedAt: true },
    });
    return row?.receivedAt ?? null;
  }

  /** Lists drafts, the newest first, one more than `limit` when more follow; `after` is the last of the previous page. */
  async list(
    author: string | null,
    limit: number,
    after: { readonly receivedAt: Date; readonly submissionId: string } | null,
  ): Promise<readonly { readonly submissionId: string; readonly receipt: string }[]> {
    return this.database.query(LIST, [author, after?.receivedAt ?? null, after?.submissionId ?? null, limit + 1]);
  }

  /** Returns the last report of the review worker about itself, with its time. */
  async readiness(): Promise<ReportedReadiness | null> {
    const [row] = await this.database.query(READINESS);
    return row ?? null;
  }
}

/** Rolls back a transaction whose outcome is known. */
class Undone extends Error {
  override readonly name = 'Undone';
  outcome: SubmissionOutcome | undefined;
}

async function write(session: Session, one: NewSubmission): Promise<SubmissionOutcome> {
  const { key, submissionId, author } = one;
  const [claimed] = await session.query(CLAIM, [
    key.lineageId,
    key.route,
    key.key,
    one.requestDigest,
    submissionId,
    one.credentialId,
  ]);
  if (claimed?.isLiving !== true) return { kind: 'credential-revoked' };
  if (!claimed.isClaimed) return { kind: 'key-taken' };
  await session.query(LOCK_AUTHOR, [author]);
  const [written] = await session.query(WRITE, [
    ...identityOf(one),
    submissionId,
    one.rewardWallet,
    one.familyId,
    one.requestDigest,
    one.receipt,
    one.receivedAt,
    one.relayAfter,
    one.projection,
    one.fileDigests,
  ]);
  if (written?.isReceived === true) return { kind: 'received' };
  return knownOf(written) ?? { kind: 'lineage-invalid' };
}

/** Returns the parameters in the order of {@link CONFLICT} and {@link WRITE}. */
const identityOf = ({ author, family, version, packageId, supersedes }: DraftIdentity) =>
  [author, family, version, packageId, supersedes] as const;

function knownOf(row: KnownRow | undefined): DraftConflict | null {
  if (row === undefined || row.submissionId === null) return null;
  return { kind: row.samePackage === true ? 'package-known' : 'version-known', submissionId: row.submissionId };
}
