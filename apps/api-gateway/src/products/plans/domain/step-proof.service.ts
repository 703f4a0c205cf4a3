import { Inject, Injectable } from '@nestjs/common';
import { PLAN_LIMITS, stepProofSchema } from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { ApiError, readSchema, readStrictJson, refusal } from '@launch/http';
import type { Logger } from '@launch/platform';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { keyConflict } from '../../../core/launches/key-conflict.js';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import { LAUNCH_WORKFLOWS, type LaunchWorkflows } from '../../../core/launches/launch-workflows.js';
import { StorageIntake } from '../../../platform/storage/storage-intake.service.js';
import { LOGGER } from '../../../platform/tokens.js';
import type { PlanRow } from '../data/plan.row.js';
import { mustShow, ReadPlanService } from './read-plan.service.js';
import { StepProofRepository, type StepName } from '../data/step-proof.repository.js';

export interface ProofAnswer {
  readonly kind: 'registered' | 'replayed' | 'known';
  readonly plan: PlanRow;
}

/** Registers transaction hashes for steps: discovery aids without authority (docs/reference/plans.md#proofs). */
@Injectable()
export class StepProofService {
  constructor(
    private readonly plans: ReadPlanService,
    @Inject(StepProofRepository) private readonly proofs: Pick<
      StepProofRepository,
      'bodyOf' | 'register' | 'noteDelivered'
    >,
    @Inject(LaunchRelayService) private readonly relay: Pick<LaunchRelayService, 'startSoon' | 'retrySoon'>,
    @Inject(StorageIntake) private readonly storage: Pick<StorageIntake, 'countRow'>,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records a hash without checking its transaction. A known hash, or one for an ended step, changes nothing.
   * @throws ApiError `PLAN_NOT_FOUND`, `RESPONSE_VERSION_TOO_OLD`, `IDEMPOTENCY_CONFLICT`, what is wrong with the bytes,
   * `STORAGE_LOW`, `RATE_LIMITED`, `STEP_NOT_READY` for a step that was never offered, `PROOF_LIMIT_REACHED` at the 17th distinct hash.
   */
  async register(
    http: FastifyRequest,
    caller: Caller,
    name: StepName,
    key: string,
    bytes: Uint8Array,
    version: PlanResponseVersion,
  ): Promise<ProofAnswer> {
    const plan = await this.plans.find(caller, name.planId);
    const step = plan.steps.find(({ stepId }) => stepId === name.stepId);
    if (step === undefined) throw new ApiError('PLAN_NOT_FOUND');
    mustShow(version, plan.mode);
    const statusUrl = plan.resumeUrl;
    const bodySha256 = sha256Digest(bytes);
    const bound = await this.proofs.bodyOf(name, key);
    if (bound === bodySha256) return { kind: 'replayed', plan };
    if (bound !== null) throw keyConflict(bodySha256, statusUrl);
    const { transactionHash } = readSchema(stepProofSchema, readStrictJson(bytes));
    await this.storage.countRow(http, caller);
    switch (await this.proofs.register({ ...name, transactionHash, key, bodySha256 })) {
      case 'taken':
        throw keyConflict(bodySha256, statusUrl);
      case 'not-ready':
        throw refusal(
          'STEP_NOT_READY',
          '',
          { expected: 'a step that was offered', actual: `${name.stepId}, ${step.status}` },
          { statusUrl },
        );
      case 'full':
        throw refusal(
          'PROOF_LIMIT_REACHED',
          '/transactionHash',
          { expected: `one of the step’s ${PLAN_LIMITS.proofsPerStep} hashes`, actual: transactionHash },
          { statusUrl },
        );
      case 'known':
        return { kind: 'known', plan };
      case 'registered':
    }
    void this.deliver(name, transactionHash);
    return { kind: 'registered', plan: await this.plans.find(caller, name.planId) };
  }

  /** Signals the running plan; a failure is left to the sweep. */
  private async deliver(name: StepName, transactionHash: Hex): Promise<void> {
    const { planId, stepId } = name;
    try {
      if (await this.workflows.signalStepProof(planId, { stepId, transactionHash }))
        await this.proofs.noteDelivered(name, transactionHash);
      else this.relay.startSoon(planId);
    } catch (error) {
      this.logger.warn({ err: error, planId, stepId }, 'a proof could not be delivered yet');
      await this.relay.retrySoon(planId).catch(() => undefined);
    }
  }
}
