import { z } from 'zod';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { addressSchema } from '@launch/contracts/primitives';

const endpoints = z.array(z.string()).length(2);

/** `stack.json`: what scripts can rely on once `npm start` is healthy. */
export const stackSchema = z.strictObject({
  schemaVersion: z.literal('launch.stack.v1'),
  gateway: z.string(),
  /** Base of `/api/explore`, `/api/indexers`, `/api/profile` and the other reads of the site; `SITE_URL`, or the gateway. */
  site: z.string(),
  /** Base of the developer API, `/api/v2`: the gateway. */
  devApi: z.string(),
  /** The gateway's `/healthz`, `/readyz` and `/metrics`; the public listener has the first alone. */
  operations: z.string(),
  /** Origin for reviewers of modules: the listener of `review-console`. */
  reviewer: z.string(),
  temporal: z.strictObject({
    address: z.string(),
    /** The namespace of launches. */
    namespace: z.string(),
    custodyNamespace: z.string(),
    modulesNamespace: z.string(),
    ui: z.string().nullable(),
  }),
  rpc: z.strictObject({ '4663': endpoints, '1': endpoints }),
  faults: z.string().nullable(),
  controller: z.strictObject({ address: addressSchema, privateKeyFile: z.string() }).nullable(),
  adminCommand: z.array(z.string()),
  dataDir: z.string(),
});
export type Stack = z.infer<typeof stackSchema>;

/** Returns the addresses that the gateway serves. A site takes the place of the gateway as `site`. */
export const addressesOfGateway = (
  { url, operationsUrl }: { readonly url: string; readonly operationsUrl: string },
  siteUrl: string | undefined,
): Pick<Stack, 'gateway' | 'site' | 'devApi' | 'operations'> => ({
  gateway: url,
  site: siteUrl || url,
  devApi: url,
  operations: operationsUrl,
});

/** Returns the Temporal namespaces that the environment names, or those of the product. */
export const namespacesOf = (
  env: NodeJS.ProcessEnv,
): Pick<Stack['temporal'], 'namespace' | 'custodyNamespace' | 'modulesNamespace'> => ({
  namespace: env['TEMPORAL_NAMESPACE'] || NAMESPACES.launches,
  custodyNamespace: env['TEMPORAL_CUSTODY_NAMESPACE'] || NAMESPACES.custody,
  modulesNamespace: env['TEMPORAL_MODULES_NAMESPACE'] || NAMESPACES.modules,
});
