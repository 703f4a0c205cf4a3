import type { CustomLaunchReceipt } from '@launch/contracts/custom-launch';
import { finding, type Finding } from '@launch/contracts/errors';
import type { SourceReceipt } from '@launch/contracts/multi-role';
import type { LaunchFamily } from '@launch/contracts/states';

/** A receipt of any family; those of multi-role launches name none. */
export type AnyReceipt = SourceReceipt | CustomLaunchReceipt;

/**
 * The required contents of a receipt for a permit: this launch, these bytes, and the hashes that custody computed
 * itself.
 */
export type ReceiptExpectation = Pick<
  SourceReceipt,
  | 'launchId'
  | 'requestSha256'
  | 'requestHash'
  | 'contextHash'
  | 'instructionPolicyHash'
  | 'artifactHash'
  | 'economicsHash'
> & {
  /** For custom launches and plans only. */
  readonly family?: LaunchFamily;
};

/** Compares a verified receipt with custody's own values, and returns a finding for each difference. */
export function receiptFindings(receipt: AnyReceipt, expected: ReceiptExpectation): Finding[] {
  const findings: Finding[] = [];
  const demand = (field: string, wanted: string | null, found: string | null): void => {
    if (wanted !== found)
      findings.push(
        finding('PERMIT_REFUSED', '', {
          detail: `The admission receipt's ${field} is not this launch's.`,
          expected: wanted,
          actual: found,
        }),
      );
  };
  demand('kind', 'admission', receipt.kind);
  demand('disposition', 'source_supported', receipt.disposition);
  const { family, ...said } = expected;
  if (family !== undefined) demand('family', family, 'family' in receipt ? receipt.family : null);
  for (const field of Object.keys(said) as (keyof typeof said)[]) demand(field, said[field], receipt[field]);
  if (receipt.findingCodes.length > 0) demand('findingCodes', 'none', receipt.findingCodes.join(', '));
  return findings;
}
