import { z } from 'zod';
import { addressSchema } from '@launch/contracts/primitives';

const endpoints = z.array(z.string()).length(2);

/** `stack.json`: what scripts can rely on once `npm start` is healthy. */
export const stackSchema = z.strictObject({
  schemaVersion: z.literal('launch.stack.v1'),
  gateway: z.string(),
  /** The gateway's `/healthz`, `/readyz` and `/metrics`; the public listener has the first alone. */
  operations: z.string(),
  /** Where reviewers of modules ask: the listener of `review-console`. */
  reviewer: z.string(),
  temporal: z.strictObject({ address: z.string(), namespace: z.string(), ui: z.string().nullable() }),
  rpc: z.strictObject({ '4663': endpoints, '1': endpoints }),
  faults: z.string().nullable(),
  controller: z.strictObject({ address: addressSchema, privateKeyFile: z.string() }).nullable(),
  adminCommand: z.array(z.string()),
  dataDir: z.string(),
});
export type Stack = z.infer<typeof stackSchema>;
