import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { LAUNCH_WORKFLOWS, type LaunchWorkflows } from '../../../core/launches/launch-workflows.js';
import { LaunchRelayRepository, type UnfinishedLaunch } from '../../../core/launches/relay/launch-relay.repository.js';
import {
  LaunchRelayService,
  type FollowOptions,
  type LaunchFollower,
} from '../../../core/launches/relay/launch-relay.service.js';
import { StepProofRepository } from '../data/step-proof.repository.js';

/** Follows plans: starts `plan/<planId>` with the transactions that clients named for its steps. */
@Injectable()
export class PlanRelayService implements LaunchFollower, OnModuleInit {
  readonly family = 'plan.v1';

  constructor(
    private readonly relay: LaunchRelayService,
    private readonly launches: LaunchRelayRepository,
    private readonly proofs: StepProofRepository,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
  ) {}

  onModuleInit(): void {
    this.relay.register(this);
  }

  async follow(launch: UnfinishedLaunch, handoffSha256: Sha256Digest, options: FollowOptions): Promise<void> {
    const { launchId: planId, requestSha256, requestHash, controller, deadline } = launch;
    const named = await this.proofs.named(planId);
    const proofs = named.map(({ stepId, transactionHash }) => ({ stepId, transactionHash }));
    await this.workflows.startPlan(
      { planId, requestSha256, requestHash, handoffSha256, controller, deadline, proofs },
      options,
    );
    await this.launches.noteStarted(planId, 'observation');
    // An existing run may lack the latest hashes; a repeated signal has no effect.
    for (const { stepId, transactionHash, delivered } of named) {
      if (!delivered && (await this.workflows.signalStepProof(planId, { stepId, transactionHash })))
        await this.proofs.noteDelivered({ planId, stepId }, transactionHash);
    }
  }
}
