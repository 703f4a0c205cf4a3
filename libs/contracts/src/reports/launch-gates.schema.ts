import { z } from 'zod';

/** Gates that must be open for new custom launches and plans, in the order of the wire. */
export const LAUNCH_GATES = ['publicAuthorization', 'publicWrites', 'releaseReady'] as const;
export type LaunchGate = (typeof LAUNCH_GATES)[number];

const gate = (what: string) => z.boolean().describe(what);

/** The three gates as discovery and readiness show them. A closed gate refuses new preflights and creates. */
export const launchGatesSchema = z.strictObject({
  publicAuthorization: gate('Whether custody signs new permits.'),
  publicWrites: gate('Whether the service accepts new preflights and creates.'),
  releaseReady: gate(
    'Whether the operator opened the release, and the context, price feeds and machine contract match it.',
  ),
} satisfies Record<LaunchGate, z.ZodBoolean>);
export type LaunchGates = z.infer<typeof launchGatesSchema>;
