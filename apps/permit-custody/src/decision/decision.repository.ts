import {
  findingsSchema,
  launchFamilySchema,
  permitFieldsSchema,
  permitFieldsV1Schema,
} from '@launch/contracts/activities';
import type { AnyFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { AnyPermitFields } from '@launch/contracts/orchestration';
import {
  sha256DigestSchema,
  addressSchema,
  bytes32Schema,
  uint256Schema,
  hexBytesSchema,
  type Hex,
  type Sha256Digest,
} from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { CustodyDatabase, Decision } from '@launch/prisma-custody';
import { z } from 'zod';

/** The subject of a decision. Hex lowercase, nonce decimal. */
export interface DecisionSubject {
  readonly launchId: string;
  readonly family: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly router: Hex;
  readonly controller: Hex;
  readonly nonce: string;
}

export type StoredDecision =
  | (DecisionSubject & { readonly kind: 'digest'; readonly permitDigest: Hex; readonly permit: AnyPermitFields })
  | (DecisionSubject & { readonly kind: 'refusal'; readonly findings: readonly AnyFinding[] });

export interface StoredSignature {
  readonly permitDigest: Hex;
  readonly signer: Hex;
  readonly signature: Hex;
}

/**
 * The insert-only record of custody's decisions. Every write is one INSERT that the database's unique keys settle. Any
 * number of callers, processes and crashes therefore leave one decision per launch and one signature per digest.
 */
export interface DecisionRepository {
  find(launchId: string): Promise<StoredDecision | null>;
  /**
   * Inserts unless a key is taken: by this launch's own decision, the nonce, the request or the digest. Returns true if
   * inserted.
   */
  insertDigest(subject: DecisionSubject, permitDigest: Hex, permit: AnyPermitFields): Promise<boolean>;
  /** Inserts unless this launch has a decision. Returns true if inserted. */
  insertRefusal(subject: DecisionSubject, findings: readonly AnyFinding[]): Promise<boolean>;
  /** Returns the key of a digest that another launch holds, if any. */
  takenBy(subject: DecisionSubject): Promise<'nonce' | 'request' | null>;
  findSignature(launchId: string): Promise<StoredSignature | null>;
  /** Keeps the first signature stored for the launch. */
  insertSignature(launchId: string, signature: StoredSignature): Promise<void>;
}

const subjectSchema = z.object({
  launchId: z.string(),
  family: launchFamilySchema,
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  router: addressSchema,
  controller: addressSchema,
  nonce: uint256Schema,
});
const signatureSchema = z.strictObject({
  permitDigest: bytes32Schema,
  signer: addressSchema,
  signature: hexBytesSchema(65),
});
const digestSchema = z.strictObject({ kind: z.literal('digest'), permitDigest: bytes32Schema });

export function createDecisionRepository(database: CustodyDatabase): DecisionRepository {
  const insert = async (data: Omit<Decision, 'decidedAt'>): Promise<boolean> =>
    (await database.decision.createMany({ data: [data], skipDuplicates: true })).count === 1;
  const takenNonce = ({ router, controller, nonce }: DecisionSubject): string => `${router}/${controller}/${nonce}`;

  return {
    async find(launchId) {
      const row = await database.decision.findUnique({ where: { launchId } });
      return row === null ? null : decode(row);
    },
    insertDigest: (subject, permitDigest, permit) =>
      insert({
        ...columnsOf(subject),
        kind: 'digest',
        document: canonicalJsonText({ ...permit }),
        permitDigest,
        takenNonce: takenNonce(subject),
        takenRequest: subject.requestHash,
      }),
    insertRefusal: (subject, findings) =>
      insert({
        ...columnsOf(subject),
        kind: 'refusal',
        document: canonicalJsonText(findings.map((entry) => ({ ...entry, remediation: { ...entry.remediation } }))),
        permitDigest: null,
        takenNonce: null,
        takenRequest: null,
      }),
    async takenBy(subject) {
      const select = { launchId: true } as const;
      if ((await database.decision.findUnique({ where: { takenRequest: subject.requestHash }, select })) !== null)
        return 'request';
      return (await database.decision.findUnique({ where: { takenNonce: takenNonce(subject) }, select })) === null
        ? null
        : 'nonce';
    },
    async findSignature(launchId) {
      const row = await database.permitSignature.findUnique({
        where: { launchId },
        select: { permitDigest: true, signer: true, signature: true },
      });
      return row === null ? null : signatureSchema.parse(row);
    },
    async insertSignature(launchId, signature) {
      await database.permitSignature.createMany({ data: [{ launchId, ...signature }], skipDuplicates: true });
    },
  };
}

function columnsOf({
  launchId,
  family,
  requestSha256,
  requestHash,
  router,
  controller,
  nonce,
}: DecisionSubject): DecisionSubject {
  return { launchId, family, requestSha256, requestHash, router, controller, nonce };
}

function decode(row: Decision): StoredDecision {
  const document: unknown = JSON.parse(row.document);
  const subject = subjectSchema.parse(row);
  if (row.kind === 'refusal') return { ...subject, kind: 'refusal', findings: findingsSchema.parse(document) };
  const permitSchema = subject.family === 'multi-role.v2' ? permitFieldsSchema : permitFieldsV1Schema;
  const { permitDigest } = digestSchema.parse({ kind: row.kind, permitDigest: row.permitDigest });
  return { ...subject, kind: 'digest', permitDigest, permit: permitSchema.parse(document) };
}
