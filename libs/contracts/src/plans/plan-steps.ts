import { z } from 'zod';

/**
 * What a step sends. `initialize_pool`, `seed_liquidity` and `initial_buy` are reserved and not issued: profile 4.1 wants
 * the buy atomic with the launch, so `register` does all three.
 */
export const STEP_KINDS = [
  'deploy_component',
  'initialize_pool',
  'seed_liquidity',
  'initial_buy',
  'register',
  'atomic_launch',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Of the plan alone, so the same after every replay. */
export const stepIdSchema = z.string().regex(/^[a-z0-9-]{1,64}$/, '1-64 lowercase letters, digits and hyphens');
