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

/** What rows of one family are, wherever all families are asked about at once. */
interface FamilyOfRows {
  /** What its idempotency keys reserve. */
  readonly resourceKind: ResourceKind;
  /** Of a launch that was reserved just now. */
  readonly firstStatus: string;
  readonly statuses: readonly string[];
  /** Ends, which no workflow moves any more. */
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

/** Statuses in which a launch of any family has ended. No family goes on in a status in which another one ends. */
export const ENDED_STATUSES: readonly string[] = ofAll(({ finished }) => finished);

/** Statuses that a workflow still has to move, of any family. */
export const OPEN_STATUSES: readonly string[] = ofAll(({ statuses, finished }) =>
  statuses.filter((status) => !finished.includes(status)),
);
