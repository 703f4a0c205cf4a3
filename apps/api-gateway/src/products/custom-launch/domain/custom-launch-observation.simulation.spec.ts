import { describe, expect, it } from '@jest/globals';
import type { CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { finding } from '@launch/contracts/errors';
import { observationStatement, recordStatement } from '@launch/contracts/activities';
import type { ObservedStage, ObservePollResult } from '@launch/contracts/orchestration';
import { createEd25519Signer, createEd25519Verifier, Registry } from '@launch/platform';
import { newSigningKey } from '@launch/testing';
import type { Sha256Digest } from '@launch/contracts/primitives';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_STATUSES,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
} from '@launch/contracts/states';
import { SimulatedRun } from '../../../../../../libs/chain/src/finality/simulation/fixtures/simulated-run.js';
import { HintQueue } from '../../../../../../libs/workflows/src/observe-launch/hint-queue.js';
import {
  observeLaunchLogic,
  type ObserveSteps,
} from '../../../../../../libs/workflows/src/observe-launch/observe-launch.logic.js';
import type { CustomLaunchProjectionRepository } from '../../../core/projections/custom-launch-projection.repository.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { StatementVerifier } from '../../../core/projections/statement-verifier.js';
import { VerifiedProjections } from '../../../core/projections/verified-projections.js';
import { CustomLaunchProjections } from './custom-launch.projections.js';

/**
 * Simulates custom launches over two modelled chains that advance on their own, seen through observers of which some
 * are faulty. The rule, the workflow and the projections are the product's own. The row is modelled;
 * `custom-launch-projections.integration.spec.ts` holds its SQL to the same behaviour. Runs are reset and lose their
 * memory; late repetitions of any earlier write come at any time. A failing run names its seed. FINALITY_SEED=<seed>
 * runs one seed alone, FINALITY_RUNS=<n> that many.
 */
const FIRST_SEED = Number(process.env['FINALITY_SEED'] ?? 1);
const RUNS = Number(process.env['FINALITY_RUNS'] ?? (process.env['FINALITY_SEED'] === undefined ? 200 : 1));
const TROUBLED_POLLS = 24;
const MOST_POLLS = 200;
const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
const AT = '2026-11-21T10:00:00.000Z';
const digest: Sha256Digest = `sha256:${'d'.repeat(64)}`;

const hash = `0x${'1'.repeat(64)}` as const;
const LAUNCH = {
  launchId: LAUNCH_ID,
  requestSha256: digest,
  requestHash: hash,
  contextHash: hash,
  handoffSha256: digest,
};
const keys = newSigningKey();
const signer = createEd25519Signer(keys.privateKey);
const verifier = createEd25519Verifier(keys.publicKey);

/** The status that an agreed observation shows. */
const SHOWN: Readonly<Record<ObservedStage, CustomLaunchStatus>> = {
  pending: 'awaiting_wallet_signature',
  submitted: 'submitted',
  included: 'sequencer_soft_confirmed',
  posted: 'ethereum_posted',
  finalized: 'finalized',
  reverted_finalized: 'failed',
  expired: 'failed',
};

/** The row of one launch: a write of an older observation than the last one matches nothing. */
class ModelledRow {
  status: CustomLaunchStatus = 'authorized';
  sequence = 0;

  private write(triggers: readonly CustomLaunchTrigger[], sequence: number | null): boolean {
    const to = triggers.reduce(nextCustomLaunchStatus, this.status);
    if ((sequence ?? 0) < this.sequence || this.status === 'failed' || this.status === 'finalized') return false;
    this.sequence = Math.max(this.sequence, sequence ?? 0);
    this.status = to;
    return true;
  }

  /** Returns the repository that the projections use. */
  asRepository(): CustomLaunchProjectionRepository {
    const model = {
      identityOf: async () => ({}),
      move: async (_id: string, triggers: readonly CustomLaunchTrigger[], sequence: number | null) =>
        void this.write(triggers, sequence),
      observed: async (_id: string, triggers: readonly CustomLaunchTrigger[], sequence: number) =>
        void this.write(triggers, sequence),
      failed: async (_id: string, triggers: readonly CustomLaunchTrigger[], sequence: number | null) =>
        void this.write(triggers, sequence),
      finalize: async (_id: string, _finality: CustomLaunchFinality) =>
        this.status === 'finalized' || this.write(['finality_proven'], Number.MAX_SAFE_INTEGER),
    };
    return model as unknown as CustomLaunchProjectionRepository;
  }
}

const rank = (status: CustomLaunchStatus): number => CUSTOM_LAUNCH_STATUSES.indexOf(status);

class SimulatedLaunch {
  private readonly run: SimulatedRun;
  private readonly row = new ModelledRow();
  private readonly written: (() => Promise<void>)[] = [];
  private polls = 0;
  private last: {
    readonly stage: ObservedStage;
    readonly isAgreed: boolean;
    readonly before: CustomLaunchStatus;
  } | null = null;
  private isForgetful = false;

  constructor(readonly seed: number) {
    this.run = new SimulatedRun(seed, 'custom launch');
  }

  /** Runs the launch to its end. @returns the final status. */
  async toTheEnd(): Promise<CustomLaunchStatus> {
    const input = {
      launchId: LAUNCH_ID,
      family: 'custom-launch.v4' as const,
      requestSha256: digest,
      requestHash: hash,
      handoffSha256: digest,
      controller: `0x${'4'.repeat(40)}`,
      hints: [],
    };
    let next: Parameters<typeof observeLaunchLogic>[1] = input;
    for (;;) {
      const outcome = await observeLaunchLogic(this.steps(), next, () => undefined);
      this.mustShow();
      if (outcome.kind !== 'continue') break;
      // A lost run restarts without its observations.
      next = this.isForgetful ? input : outcome.input;
    }
    const shown = SHOWN[this.run.truth];
    if (this.row.status !== shown && !(this.row.status === 'failed' && this.run.truth === 'reverted_finalized'))
      throw this.fault(`ends as ${this.row.status}, the chains say ${this.run.truth}`);
    return this.row.status;
  }

  private steps(): ObserveSteps {
    const unverified = new CustomLaunchProjections(
      null as never,
      this.row.asRepository(),
      { judge: async () => ({ recordSha256: digest, quarantine: '' }) } as never,
      null as never,
      null as never,
    );
    const projections = new VerifiedProjections({
      projections: unverified as never,
      rows: {
        find: async () => ({ ...LAUNCH, family: 'custom-launch.v4', sequence: this.row.sequence, deadline: 0n }),
      },
      statements: new StatementVerifier({ admission: verifier, finality: verifier }, new Registry()),
      gates: null as never,
      clock: { now: Date.now } as never,
    });
    const { random } = this.run;
    return {
      finality: {
        observe: ({ before }) => this.poll(before === null),
        buildFinalizedRecord: async ({ observed: { evidenceSha256 } }) => ({
          recordSha256: digest,
          signed: signer.sign(recordStatement(LAUNCH, { recordSha256: digest, evidenceSha256: evidenceSha256! })),
        }),
      },
      gateway: {
        recordAwaitingSignature: (of) => this.write(() => projections.recordAwaitingSignature(of)),
        recordSubmitted: (of) => this.write(() => projections.recordSubmitted(of)),
        recordWalletState: (of) => this.write(() => projections.recordWalletState(of)),
        recordFinality: (of) => this.write(() => projections.recordFinality(of)),
        recordFinalized: (of) => this.write(() => projections.recordFinalized(of)),
        recordFailed: (of) => this.write(() => projections.recordFailed(of)),
        recordExpired: (of) => this.write(() => projections.recordExpired(of)),
      },
      hints: new HintQueue([]),
      takeRecheck: () => false,
      pause: async () => this.mustShow(),
      isHistoryLong: () => {
        this.isForgetful = random.chance(0.5);
        return random.chance(0.15);
      },
    };
  }

  /** Writes, and sometimes repeats an earlier write. */
  private async write(record: () => Promise<void>): Promise<void> {
    await record();
    this.written.push(record);
    if (!this.run.random.chance(0.3)) return;
    const before = this.row.status;
    await this.written[this.run.random.below(this.written.length)]?.().catch((error: unknown) => {
      if (!(error instanceof ProjectionError) || error.code !== 'STATEMENT_OUTDATED') throw error;
    });
    if (this.row.status !== before) throw this.fault(`a late write makes ${before} ${this.row.status}`);
  }

  private async poll(isFirst: boolean): Promise<ObservePollResult> {
    const { run } = this;
    const isTroubled = this.polls < TROUBLED_POLLS;
    if (this.polls++ > MOST_POLLS) throw this.fault('has no end');
    if (isTroubled && run.random.chance(0.15)) run.breakSomething();
    if (!isTroubled || run.random.chance(0.1)) run.heal();
    for (let events = isTroubled ? run.random.below(4) : 5; events > 0; events--)
      if (isTroubled) run.move();
      else run.settle();
    if (isFirst) run.memory = null;
    const { observation } = await run.poll(isTroubled);
    run.memory = observation.memory;
    this.last = {
      stage: observation.memory.stage,
      isAgreed: observation.status === 'agreed',
      before: this.row.status,
    };
    const isReverted = observation.memory.stage === 'reverted_finalized';
    const observed = {
      memory: { ...observation.memory, polls: this.polls },
      observation: { status: observation.status, reason: observation.reason, at: AT },
      estimatedNextStageAt: null,
      basis: null,
      evidenceSha256: digest,
      findings: isReverted ? [finding('LAUNCH_REVERTED', '')] : [],
    };
    return { ...observed, signed: signer.sign(observationStatement(LAUNCH, observed)), nextPollMs: 1 };
  }

  /** Checks that the row shows an agreed statement. Without one it stays, or advances by the report of one observer. */
  private mustShow(): void {
    if (this.last === null) return;
    const { stage, isAgreed, before } = this.last;
    const { status } = this.row;
    // A restarted run does not know of a transaction that no observer shows any more.
    const isForgotten = stage === 'pending' && status === 'submitted';
    if (isAgreed && status !== SHOWN[stage] && !isForgotten) throw this.fault(`shows ${status} after ${stage}`);
    if (!isAgreed && rank(status) < rank(before)) throw this.fault(`falls from ${before} to ${status} without a word`);
  }

  private fault(what: string): Error {
    return new Error(`seed ${this.seed} (FINALITY_SEED=${this.seed}), poll ${this.polls}: ${what}`);
  }
}

describe('The observation of custom launches over two modelled chains', () => {
  it(`shows the agreed state, moves back by agreed statements alone, and reaches its end (${RUNS} runs from seed ${FIRST_SEED})`, async () => {
    const ends = new Set<CustomLaunchStatus>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) ends.add(await new SimulatedLaunch(seed).toTheEnd());
    if (RUNS >= 200) expect([...ends].sort()).toEqual(['failed', 'finalized']);
  });
});
