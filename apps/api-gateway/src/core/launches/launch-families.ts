import {
  LAUNCH_FAMILIES,
  LAUNCH_STATUSES,
  PLAN_STATUSES,
  FINISHED_STATUSES,
  SUPERSEDABLE_STATUSES,
  CUSTOM_LAUNCH_FINISHED_STATUSES,
  CUSTOM_LAUNCH_STATUSES,
  type LaunchFamily,
} from '@launch/contracts/states';
import type { ResourceKind } from '../idempotency/resource.js';

/** The facts about rows of one family that queries over all families need. */
interface FamilyOfRows {
  /** The kind of resource that its idempotency keys reserve. */
  readonly resourceKind: ResourceKind;
  /** The status of a launch that was just reserved. */
  readonly firstStatus: string;
  readonly statuses: readonly string[];
  /** Final statuses, which no workflow changes. */
  readonly finished: readonly string[];
}

const FAMILIES: Readonly<Record<LaunchFamily, FamilyOfRows>> = {
  'multi-role.v2': {
    resourceKind: 'multi-role-launch',
    firstStatus: 'reserved',
    statuses: LAUNCH_STATUSES,
    finished: FINISHED_STATUSES,
  },
  'custom-launch.v4': {
    resourceKind: 'custom-launch',
    firstStatus: 'admitting',
    statuses: CUSTOM_LAUNCH_STATUSES,
    finished: CUSTOM_LAUNCH_FINISHED_STATUSES,
  },
  'plan.v1': {
    resourceKind: 'custom-launch-plan',
    firstStatus: 'admission_pending',
    statuses: PLAN_STATUSES,
    finished: [...SUPERSEDABLE_STATUSES, 'finalized', 'superseded'],
  },
};

export const familyOfRows = (family: LaunchFamily): FamilyOfRows => FAMILIES[family];

const ofAll = (statuses: (family: FamilyOfRows) => readonly string[]): readonly string[] => [
  ...new Set(LAUNCH_FAMILIES.flatMap((family) => statuses(FAMILIES[family]))),
];

/** Statuses in which a launch of any family has ended. A final status of one family is never open in another. */
export const ENDED_STATUSES: readonly string[] = ofAll(({ finished }) => finished);

/** Statuses of any family that a workflow still has to change. */
export const OPEN_STATUSES: readonly string[] = ofAll(({ statuses, finished }) =>
  statuses.filter((status) => !finished.includes(status)),
);
