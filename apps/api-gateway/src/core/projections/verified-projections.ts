import {
  GATE_CLOSED,
  toObservedFinality,
  type LaunchGateActivities,
  type ObservedLaunch,
  type ObservedStage,
  type SignedPoll,
} from '@launch/contracts/orchestration';
import { LIMITS } from '@launch/contracts/primitives';
import type { AnyFinding } from '@launch/contracts/errors';
import type { Clock } from '../../platform/tokens.js';
import type { ProjectionActivities, SignedProjectionActivities } from './projection.activities.js';
import { ProjectionError } from './projection.error.js';
import type { StatedLaunchRepository, StatedRow } from './stated-launch.repository.js';
import type { StatementVerifier, VerifiedActivity } from './statement-verifier.js';
import { unsignedFindings } from './unsigned-findings.js';

/** Clocks of two machines differ by at most this. */
const SKEW_SECONDS = 5;

export interface VerifiedProjectionParts {
  readonly projections: ProjectionActivities;
  readonly rows: Pick<StatedLaunchRepository, 'find'>;
  readonly statements: StatementVerifier;
  readonly gates: LaunchGateActivities;
  readonly clock: Clock;
}

type Input<Name extends keyof SignedProjectionActivities> = Parameters<SignedProjectionActivities[Name]>[0];

/**
 * Verifies the inputs of workflows before they change the client's view. Any process of the namespace can send inputs
 * here, so each value is signed by its author, derived by the gateway itself, or harmless (ADR 0128).
 */
export class VerifiedProjections implements SignedProjectionActivities {
  constructor(private readonly parts: VerifiedProjectionParts) {}

  recordAdmitting = async ({ launchId, reason, signed }: Input<'recordAdmitting'>): Promise<void> => {
    const { projections, statements, gates } = this.parts;
    if (reason === undefined) return projections.recordAdmitting({ launchId });
    if (reason === GATE_CLOSED) {
      const { open } = await gates.authorizationGate({ launchId });
      if (open) return;
    } else statements.admission('recordAdmitting', await this.rowOf(launchId), { kind: 'waiting', reason }, signed);
    return projections.recordAdmitting({ launchId, reason });
  };

  recordAssessment = async ({ signed, ...input }: Input<'recordAssessment'>): Promise<void> => {
    const { launchId, ...outcome } = input;
    const row = await this.rowOf(launchId);
    this.parts.statements.admission('recordAssessment', row, { kind: 'assessed', ...outcome }, signed);
    return this.parts.projections.recordAssessment(input);
  };

  /**
   * Custody's refusals, passed windows and faults come without a signature. They end a launch that has no hand-off, and
   * show no text but the catalogue's.
   */
  recordRefused = async ({ signed, ...input }: Input<'recordRefused'>): Promise<void> => {
    const { launchId, findings } = input;
    const row = await this.rowOf(launchId);
    if (signed !== undefined)
      this.parts.statements.admission('recordRefused', row, { kind: 'refused', findings }, signed);
    else if (findings.every(({ code }) => code === 'PERMIT_EXPIRED')) this.mustHavePassed('recordRefused', row);
    return this.parts.projections.recordRefused(
      signed === undefined ? { ...input, findings: unsignedFindings(findings) } : input,
    );
  };

  recordHandoff = async ({ signed, ...input }: Input<'recordHandoff'>): Promise<void> => {
    const { launchId, handoffSha256 } = input;
    const row = await this.rowOf(launchId);
    this.parts.statements.admission('recordHandoff', row, { kind: 'handed-off', handoffSha256 }, signed);
    return this.parts.projections.recordHandoff(input);
  };

  /** A hand-off that is stored can be read. */
  recordAwaitingSignature = (input: Input<'recordAwaitingSignature'>): Promise<void> =>
    this.parts.projections.recordAwaitingSignature(input);

  recordSubmitted = async (input: Input<'recordSubmitted'>): Promise<void> => {
    const { launchId, poll } = await this.polled('recordSubmitted', input);
    const { transactionHash, polls } = poll.memory;
    if (transactionHash === null) throw new ProjectionError('PROJECTION_MISMATCH', 'transactionHash');
    return this.parts.projections.recordSubmitted({ launchId, transactionHash, sequence: polls });
  };

  recordWalletState = async (input: Input<'recordWalletState'>): Promise<void> => {
    const { launchId, poll } = await this.polled('recordWalletState', input);
    if (poll.wallet === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'wallet');
    const { reason } = poll.wallet;
    return this.parts.projections.recordWalletState({ launchId, reason, sequence: poll.memory.polls });
  };

  recordFinality = async (input: Input<'recordFinality'>): Promise<void> => {
    const { launchId, row, poll } = await this.polled('recordFinality', input);
    const finality = toObservedFinality(row.family, launchId, poll);
    return this.parts.projections.recordFinality({ launchId, finality, sequence: poll.memory.polls });
  };

  /** The end of a launch: no later observation follows, and an earlier one has no record. */
  recordFinalized = async (input: Input<'recordFinalized'>): Promise<void> => {
    const { launchId, observed, recordSha256, signed } = input;
    const row = await this.rowOf(launchId);
    this.parts.statements.poll('recordFinalized', row, observed);
    const { evidenceSha256 } = mustBe('finalized', observed);
    if (evidenceSha256 === null) throw new ProjectionError('PROJECTION_MISMATCH', 'evidenceSha256');
    this.parts.statements.record('recordFinalized', row, { recordSha256, evidenceSha256 }, signed);
    return this.parts.projections.recordFinalized({
      launchId,
      recordSha256,
      evidenceSha256,
      finality: toObservedFinality(row.family, launchId, observed),
      sequence: observed.memory.polls,
    });
  };

  recordFailed = async (input: Input<'recordFailed'>): Promise<void> => {
    const { projections, statements } = this.parts;
    if ('by' in input) {
      const { launchId, findings, by, signed } = input;
      if (signed !== undefined || !areFaults(findings))
        statements.admission('recordFailed', await this.rowOf(launchId), { kind: 'reverted', findings }, signed);
      const shown = signed === undefined ? unsignedFindings(findings) : findings;
      return projections.recordFailed({ launchId, findings: shown, by });
    }
    const { launchId, poll } = await this.polled('recordFailed', input);
    const { findings } = mustBe('reverted_finalized', poll);
    return projections.recordFailed({ launchId, findings, ...endOf(poll) });
  };

  recordExpired = async (input: Input<'recordExpired'>): Promise<void> => {
    if ('by' in input) {
      this.mustHavePassed('recordExpired', await this.rowOf(input.launchId));
      return this.parts.projections.recordExpired(input);
    }
    const { launchId, poll } = await this.polled('recordExpired', input);
    return this.parts.projections.recordExpired({ launchId, ...endOf(mustBe('expired', poll)) });
  };

  /** Verifies a poll, and that none after it is stored. */
  private async polled(
    activity: VerifiedActivity,
    { launchId, observed }: ObservedLaunch,
  ): Promise<{ readonly launchId: string; readonly row: StatedRow; readonly poll: SignedPoll }> {
    const row = await this.rowOf(launchId);
    this.parts.statements.poll(activity, row, observed);
    if (observed.memory.polls < row.sequence) this.parts.statements.refuse(activity, 'outdated');
    return { launchId, row, poll: observed };
  }

  /** Refuses an expiry while custody could still sign, by the gateway's own clock. */
  private mustHavePassed(activity: VerifiedActivity, { deadline }: StatedRow): void {
    const seconds = Math.floor(this.parts.clock.now() / 1_000) + LIMITS.deadlineLeadSeconds + SKEW_SECONDS;
    if (BigInt(seconds) < deadline) this.parts.statements.refuse(activity, 'window-open');
  }

  private async rowOf(launchId: string): Promise<StatedRow> {
    const row = await this.parts.rows.find(launchId);
    if (row === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'launchId');
    return row;
  }
}

const areFaults = (findings: readonly AnyFinding[]): boolean => findings.every(({ code }) => code === 'INTERNAL');

function mustBe(stage: ObservedStage, poll: SignedPoll): SignedPoll {
  if (poll.memory.stage !== stage) throw new ProjectionError('PROJECTION_MISMATCH', 'memory.stage');
  return poll;
}

const endOf = ({ memory, evidenceSha256 }: SignedPoll) => ({
  sequence: memory.polls,
  ...(evidenceSha256 === null ? {} : { evidenceSha256 }),
});
