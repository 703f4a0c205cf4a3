import { admissionStatement } from '@launch/contracts/activities';
import type {
  AdmissionOutcome,
  EvaluateSourceResult,
  LaunchRef,
  RehearsalVerdict,
  SimulationVerdict,
  StatementSignature,
  UsdReferenceVerdict,
} from '@launch/contracts/orchestration';
import type { Ed25519Signer } from '@launch/platform';

/**
 * Signs the results of admission that the gateway stores. A preflight reserves nothing, so its results stay unsigned.
 * Each method returns its verdict with the signature.
 */
export class SignedOutcomes {
  constructor(private readonly signer: Ed25519Signer) {}

  evaluation(ref: LaunchRef, result: EvaluateSourceResult): EvaluateSourceResult {
    const { receipt, findings } = result;
    const assessed = this.sign(ref, { kind: 'assessed', assessment: receipt.assessment, findings });
    if (assessed === null) return result;
    const isRefused = receipt.disposition !== 'source_supported';
    return {
      ...result,
      signed: { assessed, refused: isRefused ? this.sign(ref, { kind: 'refused', findings }) : null },
    };
  }

  rehearsal(ref: LaunchRef, verdict: RehearsalVerdict): RehearsalVerdict {
    if (verdict.kind !== 'reverted' && verdict.kind !== 'indeterminate') return verdict;
    return this.with(ref, verdict, { kind: 'refused', findings: verdict.findings });
  }

  reading(ref: LaunchRef, verdict: UsdReferenceVerdict): UsdReferenceVerdict {
    switch (verdict.kind) {
      case 'below':
        return this.with(ref, verdict, { kind: 'refused', findings: verdict.findings });
      case 'unusable':
        return this.with(ref, verdict, { kind: 'waiting', reason: verdict.reason });
      default:
        return verdict;
    }
  }

  simulation(ref: LaunchRef, verdict: SimulationVerdict): SimulationVerdict {
    switch (verdict.kind) {
      case 'simulated':
        return this.with(ref, verdict, { kind: 'handed-off', handoffSha256: verdict.handoffSha256 });
      case 'reverted':
        return this.with(ref, verdict, { kind: 'reverted', findings: verdict.findings });
      case 'over-budget':
        return this.with(ref, verdict, { kind: 'refused', findings: verdict.findings });
      case 'waiting':
        return this.with(ref, verdict, { kind: 'waiting', reason: verdict.reason });
      case 'window-passed':
        return verdict;
    }
  }

  private with<V extends object>(ref: LaunchRef, verdict: V, outcome: AdmissionOutcome): V {
    const signed = this.sign(ref, outcome);
    return signed === null ? verdict : { ...verdict, signed };
  }

  private sign(ref: LaunchRef, outcome: AdmissionOutcome): StatementSignature | null {
    const { launchId } = ref;
    return launchId === null ? null : this.signer.sign(admissionStatement({ ...ref, launchId }, outcome));
  }
}
