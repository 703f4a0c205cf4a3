import { Injectable } from '@nestjs/common';
import type { LaunchFamily } from '@launch/contracts/states';
import type { FamilyProjections } from './family-projections.js';
import type { ProjectionActivities } from './projection.activities.js';
import { ProjectionError } from './projection.error.js';
import { FamilyRepository } from './family.repository.js';

type Input<Name extends keyof ProjectionActivities> = Parameters<ProjectionActivities[Name]>[0];

/** Passes the decisions of workflows about a launch to the part of its family. */
@Injectable()
export class ProjectionService implements ProjectionActivities {
  private readonly parts = new Map<LaunchFamily, FamilyProjections>();

  constructor(private readonly families: FamilyRepository) {}

  /** Registers the part that projects launches of its family. */
  register(part: FamilyProjections): void {
    this.parts.set(part.family, part);
  }

  recordAdmitting = (input: Input<'recordAdmitting'>): Promise<void> => this.hand('recordAdmitting', input);
  recordAssessment = (input: Input<'recordAssessment'>): Promise<void> => this.hand('recordAssessment', input);
  recordRefused = (input: Input<'recordRefused'>): Promise<void> => this.hand('recordRefused', input);
  recordHandoff = (input: Input<'recordHandoff'>): Promise<void> => this.hand('recordHandoff', input);
  recordAwaitingSignature = (input: Input<'recordAwaitingSignature'>): Promise<void> =>
    this.hand('recordAwaitingSignature', input);
  recordSubmitted = (input: Input<'recordSubmitted'>): Promise<void> => this.hand('recordSubmitted', input);
  recordWalletState = (input: Input<'recordWalletState'>): Promise<void> => this.hand('recordWalletState', input);
  recordFinality = (input: Input<'recordFinality'>): Promise<void> => this.hand('recordFinality', input);
  recordFinalized = (input: Input<'recordFinalized'>): Promise<void> => this.hand('recordFinalized', input);
  recordFailed = (input: Input<'recordFailed'>): Promise<void> => this.hand('recordFailed', input);
  recordExpired = (input: Input<'recordExpired'>): Promise<void> => this.hand('recordExpired', input);

  /** @throws ProjectionError `PROJECTION_MISMATCH` for an activity that launches of this family never need. */
  private async hand<Name extends keyof ProjectionActivities>(name: Name, input: Input<Name>): Promise<void> {
    const part = this.parts.get(await this.families.familyOf(input.launchId));
    const record = part?.[name] as ((of: Input<Name>) => Promise<void>) | undefined;
    if (record === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'family');
    await record.call(part, input);
  }
}
