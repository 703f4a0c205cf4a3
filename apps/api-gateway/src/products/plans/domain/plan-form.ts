import { planDigest, planRequestSchema, type PlanMode, type PlanRequest, type StepKind } from '@launch/contracts/plans';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { planStepsOf } from '@launch/evm';
import {
  readCustomLaunchBody,
  type CustomLaunchForm,
  type CustomLaunchRequestForm,
} from '../../../core/launches/custom-launch/custom-launch.form.js';

/** A step as it is known before anything is signed. */
export interface PlannedStep {
  readonly stepId: string;
  readonly ordinal: number;
  readonly kind: StepKind;
}

/** The contents of a plan's body, with every fault of its form. Plain data. */
export interface PlanForm extends CustomLaunchForm {
  readonly mode: PlanMode;
  readonly planDigest: Sha256Digest;
  readonly predecessor: PlanRequest['predecessor'];
  /** In their order: each needs the one before it. */
  readonly steps: readonly PlannedStep[];
}

/** The request of a plan. */
export const planForm: CustomLaunchRequestForm<PlanForm> = {
  name: 'plan.v1',
  read(bytes, context) {
    const { body, form } = readCustomLaunchBody(planRequestSchema, bytes, context);
    const { mode, predecessor } = body;
    return { ...form, mode, predecessor, planDigest: planDigest(body), steps: planStepsOf(body) };
  },
};
