import { z } from 'zod';

/**
 * Kinds of steps. `initialize_pool`, `seed_liquidity` and `initial_buy` are reserved and not issued: profile 4.1
 * requires the buy to be atomic with the launch, so `register` does all three.
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

/** Derived from the plan only, so a replay gives the same id. */
export const stepIdSchema = z.string().regex(/^[a-z0-9-]{1,64}$/, '1-64 lowercase letters, digits and hyphens');
