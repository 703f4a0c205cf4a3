import { z } from 'zod';
import { customLaunchContextSchema } from '../launch/custom-launch-context.schema.js';
import { CAIP2, CHAIN_BASE_PATH } from '../primitives/limits.js';
import { bytes32Schema, decimalSchema, sha256DigestSchema } from '../primitives/scalars.schema.js';
import { launchGatesSchema } from './launch-gates.schema.js';
import {
  ASSESSMENTS,
  BLOCKER_LAYERS,
  PROOF_OBLIGATIONS,
  REQUEST_SURFACES,
  SCENARIO_IDS,
  SCENARIO_PROFILE,
  type ScenarioId,
} from './scenarios.js';

/** The public reports of custom launches, by the last segment of their path. */
export const LAUNCH_REPORTS = [
  'launch-coverage',
  'launch-guide',
  'capabilities',
  'readiness',
  'initial-buy-quote',
] as const;
export type LaunchReport = (typeof LAUNCH_REPORTS)[number];
/** The reports about the state of the release; the quote is about a price. */
export const STATE_REPORTS = ['launch-coverage', 'launch-guide', 'capabilities', 'readiness'] as const;
export type StateReport = (typeof STATE_REPORTS)[number];
export const launchReportPath = (report: LaunchReport): string => `${CHAIN_BASE_PATH}/${report}`;

const REPORT = { chainId: z.literal('4663'), caip2: z.literal(CAIP2) };
/** No report authorizes anything. */
const notAuthorized = z.literal(false);
const requestAuthorization = z.strictObject({ requestAuthorized: notAuthorized });
const profileSchema = z
  .string()
  .max(64)
  .nullable()
  .describe('The profile that the server selected. Null if the deployment has none.');
const statusSchema = z.enum(['ready', 'unavailable']);
const reasonCodesSchema = z.array(z.string().max(64)).max(32);
const serviceReadinessSchema = z.strictObject({ status: statusSchema, reasonCodes: reasonCodesSchema });
const coverageOfRecipe = z.enum(['proof-available', 'unavailable']);

/** `GET /launch-coverage`: four separate facts (docs/reference/custom-launch.md#public-reports). */
export const launchCoverageSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-launch-coverage.v1'),
    ...REPORT,
    profile: profileSchema,
    serviceReadiness: serviceReadinessSchema,
    representableArchitecture: z
      .strictObject({
        officialPools: z.literal(1),
        poolPair: z.literal('native-token'),
        poolFee: z.literal(0),
        tickSpacing: z.literal(60),
        tokenAndHookMayShareAddress: z.literal(false),
        moduleSelections: z.literal(false),
      })
      .nullable()
      .describe('The contents that a request of the profile can have. Null if the deployment has no profile.'),
    activatedVerifierCoverage: z.strictObject({ seedV1: coverageOfRecipe }),
    requestAuthorization,
  })
  .meta({ id: 'LaunchCoverage' });
export type LaunchCoverage = z.infer<typeof launchCoverageSchema>;

const scenarioSchema = z.strictObject({
  scenarioId: z.enum(SCENARIO_IDS),
  assessment: z.enum(ASSESSMENTS),
  blockerLayer: z.enum(BLOCKER_LAYERS),
  reason: z.string().max(512),
  nextStep: z.string().max(512),
  requestAuthorized: notAuthorized,
});

/** `GET /launch-guide`: the steps of a launch with their routes, the scenarios, and how to handle errors. */
export const launchGuideSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-launch-guide.v1'),
    ...REPORT,
    profile: profileSchema,
    readiness: serviceReadinessSchema,
    workflow: z
      .array(
        z.strictObject({
          stepId: z.string().max(64),
          description: z.string().max(512),
          route: z
            .strictObject({
              method: z.enum(['GET', 'POST']),
              path: z.string().max(256),
              needsKey: z.boolean(),
              provided: z.boolean().describe('Whether this deployment serves the route.'),
              outcomes: z.array(z.strictObject({ status: z.int(), meaning: z.string().max(512) })).max(16),
            })
            .nullable()
            .describe('Null for a step that calls no route.'),
        }),
      )
      .max(16),
    scenarioProfileVersion: z.literal(SCENARIO_PROFILE),
    scenarios: z.array(scenarioSchema).length(SCENARIO_IDS.length),
    errorRecovery: z
      .array(
        z.strictObject({ error: z.string().max(128), condition: z.string().max(512), handling: z.string().max(512) }),
      )
      .max(32),
    authority: z.strictObject({ requestAuthorized: notAuthorized }),
  })
  .meta({ id: 'LaunchGuide' });
export type LaunchGuide = z.infer<typeof launchGuideSchema>;

const featureSchema = z.strictObject({
  publicRequestSurface: z.enum(REQUEST_SURFACES),
  publiclyLaunchable: z.boolean(),
  findingObligations: z.array(z.enum(PROOF_OBLIGATIONS)).max(PROOF_OBLIGATIONS.length),
});

/** `GET /capabilities` of custom launches. */
export const launchCapabilitiesSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-launch-capabilities.v1'),
    ...REPORT,
    profile: profileSchema,
    context: z
      .strictObject({ contextHash: bytes32Schema, document: customLaunchContextSchema })
      .nullable()
      .describe(
        'The context that a packer needs and that requests name by its hash. Null if the deployment has no context.',
      ),
    tokenAndHookMayShareAddress: z.literal(false),
    seedV1: coverageOfRecipe,
    features: z.strictObject(
      Object.fromEntries(SCENARIO_IDS.map((id) => [id, featureSchema])) as Record<ScenarioId, typeof featureSchema>,
    ),
    requestAuthorization,
  })
  .meta({ id: 'LaunchCapabilities' });
export type LaunchCapabilities = z.infer<typeof launchCapabilitiesSchema>;

/** `GET /readiness` of custom launches. */
export const launchReadinessSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-launch-readiness.v1'),
    ...REPORT,
    status: statusSchema.describe('`ready` while every gate is open and a checkpoint is known.'),
    reasonCodes: reasonCodesSchema,
    checkpoint: z
      .strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema })
      .nullable()
      .describe('A block that both observers agree on, for use in a request. Null while they disagree.'),
    profile: profileSchema,
    openApiUrl: z.string().max(256).nullable().describe('The frozen machine contract of the profile.'),
    openApiSha256: sha256DigestSchema.nullable(),
    gates: launchGatesSchema,
    requestAuthorization,
  })
  .meta({ id: 'LaunchReadiness' });
export type LaunchReadiness = z.infer<typeof launchReadinessSchema>;
