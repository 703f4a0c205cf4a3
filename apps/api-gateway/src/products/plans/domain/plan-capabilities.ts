import {
  PLAN_LIMITS,
  PLAN_PATHS,
  type PlanAvailability,
  type PlanCapabilities,
  type PlanOperation,
} from '@launch/contracts/plans';
import { PLAN_CONTRACT_VERSION, PLAN_RESPONSE_VERSIONS } from '@launch/contracts/launch';
import { CAIP2 } from '@launch/contracts/primitives';
import { USD_QUOTE_RETRY_REQUIRED } from '@launch/evm';
import type { LaunchWorker } from '../../../core/launches/launch-workers.js';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';
import { isOfPlanProfile } from './plan-profile.js';

export interface PlanState {
  readonly reading: GatesReading;
  /** Whether this deployment serves a route, by its declared path. */
  readonly serves: (method: 'GET' | 'POST', path: string) => boolean;
  /** Whether the price feeds gave a usable price in the last reading that the gateways share. */
  readonly hasPrice: boolean;
  readonly compileBudgetSeconds: number;
  /** The absent workers of each operation; empty for an operation without workers. */
  readonly workersAway: Readonly<Record<PlanOperation, readonly string[]>>;
}

/** The workers that each operation needs. Reads of stored plans need none. */
export const WORKERS_OF_OPERATIONS: Readonly<Record<PlanOperation, readonly LaunchWorker[]>> = {
  preflight: ['admission'],
  create: ['gateway', 'admission', 'custody', 'finality'],
  list: [],
  get: [],
  stepProof: ['gateway', 'finality'],
};

/**
 * Returns which operations of the plan transport work now. An operation does not work without its route or its workers;
 * new plans also need open gates and a profile with plans. A preflight of that profile also needs a price, for which a
 * plan that was created waits.
 */
export function planCapabilities(state: PlanState): PlanCapabilities {
  const { reading, serves, hasPrice, workersAway, compileBudgetSeconds } = state;
  const operation = (
    method: 'GET' | 'POST',
    name: PlanOperation,
    standsInTheWay: readonly string[],
  ): PlanAvailability => {
    const reasonCodes = [
      ...(serves(method, PLAN_PATHS[name]) ? [] : ['OPERATION_NOT_PROVIDED']),
      ...standsInTheWay,
      ...workersAway[name],
    ];
    return { available: reasonCodes.length === 0, reasonCodes };
  };
  const { bound } = reading.release;
  const profile = bound === null || isOfPlanProfile(bound) ? [] : ['PROFILE_NOT_CURRENT'];
  const needsPrice = bound !== null && isOfPlanProfile(bound);
  const price = needsPrice && !hasPrice ? [USD_QUOTE_RETRY_REQUIRED] : [];
  const create = operation('POST', 'create', [...reading.reasonCodes, ...profile]);
  return {
    schemaVersion: 'service.custom-launch-capabilities.v1',
    chainId: '4663',
    caip2: CAIP2,
    contractVersion: PLAN_CONTRACT_VERSION,
    responseVersions: [...PLAN_RESPONSE_VERSIONS],
    contextHash: bound?.contextHash ?? null,
    operations: {
      preflight: operation('POST', 'preflight', [...reading.reasonCodes, ...price]),
      create,
      list: operation('GET', 'list', []),
      get: operation('GET', 'get', []),
      stepProof: operation('POST', 'stepProof', []),
    },
    modes: { sequential: create, atomic: create },
    limits: { ...PLAN_LIMITS, compileBudgetSeconds },
  };
}
