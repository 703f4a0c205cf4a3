import {
  customLaunchAssessmentSchema,
  customLaunchReceiptSchema,
  signedCustomLaunchReceiptSchema,
  type CustomLaunchAssessment,
  type CustomLaunchReceipt,
  type SignedCustomLaunchReceipt,
} from '@launch/contracts/custom-launch';
import type { AnyCode } from '@launch/contracts/errors';
import {
  type SignedReceipt,
  signedReceiptSchema,
  type SourceAssessment,
  sourceAssessmentSchema,
  type SourceReceipt,
  sourceReceiptSchema,
} from '@launch/contracts/multi-role';
import type { Disposition } from '@launch/contracts/launch';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { isCustomLaunchFamily, type LaunchFamily } from '@launch/contracts/states';
import { z } from 'zod';

/** The common members of receipts of all families; the codes are the family's own. */
export type ReceiptMembers = Omit<SourceReceipt, 'schemaVersion' | 'findingCodes' | 'materialized'> & {
  readonly findingCodes: readonly AnyCode[];
  readonly materialized: readonly SourceReceipt['materialized'][number][];
};
type AnyReceipt = SourceReceipt | CustomLaunchReceipt;
export type AnySignedReceipt = SignedReceipt | SignedCustomLaunchReceipt;

const REMEDIATION: Readonly<Record<Disposition, string | null>> = {
  source_supported: null,
  evidence_required:
    'The platform needs coverage or corrected bindings for these findings; correct what they name and submit a deliberate new request with a new key.',
  rejected:
    'Correct what the findings name, regenerate all bindings and submit a deliberate new request with a new key.',
};

/** @throws ZodError for a code that the family does not have, which is a fault of a rule. */
export const receiptOf = (family: LaunchFamily, members: ReceiptMembers): AnyReceipt =>
  isCustomLaunchFamily(family)
    ? customLaunchReceiptSchema.parse({
        schemaVersion: 'service.custom-launch-source-receipt.v1',
        family,
        ...members,
      })
    : sourceReceiptSchema.parse({ schemaVersion: 'service.multi-role-source-receipt.v2', ...members });

const anySignedSchema = z.union([signedReceiptSchema, signedCustomLaunchReceiptSchema]);
export const signedReceiptOf = (document: unknown): AnySignedReceipt => anySignedSchema.parse(document);

export function assessmentOf(
  { schemaVersion, disposition, findingCodes }: AnyReceipt,
  receiptHash: Sha256Digest,
): SourceAssessment | CustomLaunchAssessment {
  const members = {
    disposition,
    findingCodes,
    receiptHash,
    remediation: REMEDIATION[disposition],
    productionAuthority: false,
  };
  return schemaVersion === 'service.custom-launch-source-receipt.v1'
    ? customLaunchAssessmentSchema.parse({
        schemaVersion: 'service.custom-launch-source-assessment.v1',
        ...members,
      })
    : sourceAssessmentSchema.parse({ schemaVersion: 'service.multi-role-source-assessment.v2', ...members });
}
