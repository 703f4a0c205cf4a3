import { z } from 'zod';
import { PLAN_CONTRACT_VERSION, PLAN_RESPONSE_VERSIONS } from '../launch/plan-versions.js';
import { CAIP2 } from '../primitives/limits.js';
import { addressSchema, bytes32Schema, sha256DigestSchema, timestampSchema } from '../primitives/scalars.schema.js';
import { launchGatesSchema } from './launch-gates.schema.js';

/** Paths of the discovery document, its alias, and the catalogue that names both (RFC 8615, RFC 9727). */
export const DISCOVERY_PATH = '/.well-known/custom-launch.json';
export const DISCOVERY_ALIAS = '/v4/discovery';
export const API_CATALOG_PATH = '/.well-known/api-catalog';
/** The path below which the index reader is. */
export const INDEX_READER_PATH = '/v4/clients/index-reader';

const pathSchema = z.string().max(256);
const publishedSchema = z.strictObject({ path: pathSchema, contentSha256: sha256DigestSchema });

const chainSchema = z.strictObject({ chainId: z.literal('4663'), caip2: z.literal(CAIP2), ...launchGatesSchema.shape });

export const platformFeePolicySchema = z
  .strictObject({
    rateBps: z.int().min(0).max(10_000),
    ratePpm: z.int().min(0).max(1_000_000),
    ratePercent: z.string().regex(/^\d{1,3}\.\d{2}$/),
    recipient: addressSchema
      .nullable()
      .describe('The address that receives the platform fee. Null if the deployment has no context.'),
    scope: z.literal('native-side-of-every-official-pool-swap'),
    enforcement: z.literal('immutable-hook'),
  })
  .refine(
    ({ rateBps, ratePpm, ratePercent }) => rateBps * 100 === ratePpm && ratePercent === (rateBps / 100).toFixed(2),
    {
      message: 'one rate, three times',
    },
  );

/**
 * The served APIs and their gates. Clients read it before they use a key
 * (docs/reference/custom-launch.md#discovery-document).
 */
export const discoverySchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-discovery.v1'),
    deploymentRevision: sha256DigestSchema.describe('Digest of everything that the deployment publishes.'),
    issuedAt: timestampSchema,
    ttlSeconds: z.int().positive().describe('Seconds for which a client may cache this document.'),
    customLaunchApi: z.strictObject({
      versions: z.strictObject({
        v4: z.strictObject({
          profile: z.string().max(64).nullable(),
          ...launchGatesSchema.shape,
          platformFeePolicy: platformFeePolicySchema,
          externalIndexingGuaranteed: z.literal(false),
          openApiUrl: pathSchema.nullable().describe('The frozen machine contract of the profile.'),
          openApiSha256: sha256DigestSchema.nullable(),
          chains: z.array(chainSchema).length(1),
        }),
        multiRoleV2: z.strictObject({
          capabilitiesUrl: pathSchema,
          contextHash: bytes32Schema.nullable(),
          readiness: z.enum(['ready', 'unavailable']),
          openApiUrl: pathSchema,
          openApiSha256: sha256DigestSchema,
        }),
        planTransport: z.strictObject({
          contractVersion: z.literal(PLAN_CONTRACT_VERSION),
          responseVersions: z.array(z.enum(PLAN_RESPONSE_VERSIONS)).length(PLAN_RESPONSE_VERSIONS.length),
          capabilitiesUrl: pathSchema.nullable().describe('Null if the deployment does not serve this route.'),
        }),
      }),
      chains: z.array(chainSchema).length(1).describe('The same entries as the top-level `chains`.'),
    }),
    documentation: publishedSchema.describe('The list of the guides and the reference pages.'),
    clients: z.strictObject({
      launchCli: z
        .strictObject({ program: publishedSchema, manifest: publishedSchema })
        .nullable()
        .describe('The command line client. Null if the deployment does not publish it.'),
      indexReader: z
        .strictObject({ program: publishedSchema })
        .nullable()
        .describe('The program that reads and verifies the index. Null if the deployment does not publish it.'),
    }),
  })
  .meta({ id: 'CustomLaunchDiscovery' });
export type CustomLaunchDiscovery = z.infer<typeof discoverySchema>;
