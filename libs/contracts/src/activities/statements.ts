import { z } from 'zod';
import { customLaunchAssessmentSchema } from '../custom-launch/admission-documents.schema.js';
import { canonicalizeJson } from '../json/canonical-json.js';
import { sourceAssessmentSchema } from '../multi-role/resource.schema.js';
import type { ObservedPoll } from '../orchestration/finality.types.js';
import type { StepPoll, StepSimulation } from '../orchestration/plan.types.js';
import type { AdmissionOutcome, StatedHandoff, StatedLaunch } from '../orchestration/statement.types.js';
import { stepIdSchema } from '../plans/plan-steps.js';
import { bytes32Schema, sha256DigestSchema, uuidSchema, type Sha256Digest } from '../primitives/scalars.schema.js';
import { observedPollSchema } from './finality.inputs.js';
import { findingsSchema, reasonSchema } from './launch.inputs.js';
import { stepPollSchema, stepSimulationSchema } from './plan.inputs.js';

const launchSchema = z.strictObject({
  launchId: uuidSchema,
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
});
const handedOffSchema = z.strictObject({ ...launchSchema.shape, handoffSha256: sha256DigestSchema });

const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('assessed'),
    assessment: z.union([sourceAssessmentSchema, customLaunchAssessmentSchema]),
    findings: findingsSchema,
  }),
  z.strictObject({ kind: z.literal('waiting'), reason: reasonSchema }),
  z.strictObject({ kind: z.literal('refused'), findings: findingsSchema }),
  z.strictObject({ kind: z.literal('handed-off'), handoffSha256: sha256DigestSchema }),
  z.strictObject({ kind: z.literal('reverted'), findings: findingsSchema }),
]);

/**
 * A statement that one service signs and another one stores. `schemaVersion` separates the kinds, and these from every
 * other document that a key signs.
 */
export const statementSchema = z.discriminatedUnion('schemaVersion', [
  z.strictObject({
    schemaVersion: z.literal('service.admission-statement.v1'),
    launch: launchSchema,
    outcome: outcomeSchema,
  }),
  z.strictObject({
    schemaVersion: z.literal('service.observation-statement.v1'),
    launch: handedOffSchema,
    observed: observedPollSchema,
  }),
  z.strictObject({
    schemaVersion: z.literal('service.step-observation-statement.v1'),
    launch: handedOffSchema,
    stepId: stepIdSchema,
    observed: stepPollSchema,
  }),
  z.strictObject({
    schemaVersion: z.literal('service.step-simulation-statement.v1'),
    launch: handedOffSchema,
    stepId: stepIdSchema,
    simulation: stepSimulationSchema,
  }),
  z.strictObject({
    schemaVersion: z.literal('service.record-statement.v1'),
    launch: handedOffSchema,
    recordSha256: sha256DigestSchema,
    evidenceSha256: sha256DigestSchema,
  }),
]);

/** Returns the canonical bytes of a statement; absent members have no bytes. @throws ZodError */
const bytesOf = (statement: z.input<typeof statementSchema>): Uint8Array =>
  canonicalizeJson(JSON.parse(JSON.stringify(statementSchema.parse(statement))));

/** Returns the bytes that admission signs. */
export const admissionStatement = (launch: StatedLaunch, outcome: AdmissionOutcome): Uint8Array =>
  bytesOf({
    schemaVersion: 'service.admission-statement.v1',
    launch: statedLaunch(launch),
    outcome,
  } as z.input<typeof statementSchema>);

/** Returns the bytes that the finality worker signs for one poll. */
export const observationStatement = (launch: StatedHandoff, observed: ObservedPoll): Uint8Array =>
  bytesOf({
    schemaVersion: 'service.observation-statement.v1',
    launch: statedHandoff(launch),
    observed,
  } as z.input<typeof statementSchema>);

/** Returns the bytes that the finality worker signs for one poll of a plan's step. */
export const stepObservationStatement = (launch: StatedHandoff, stepId: string, observed: StepPoll): Uint8Array =>
  bytesOf({
    schemaVersion: 'service.step-observation-statement.v1',
    launch: statedHandoff(launch),
    stepId,
    observed,
  } as z.input<typeof statementSchema>);

/** Returns the bytes that admission signs for the simulation of a plan's step. */
export const stepSimulationStatement = (
  launch: StatedHandoff,
  stepId: string,
  simulation: StepSimulation,
): Uint8Array =>
  bytesOf({
    schemaVersion: 'service.step-simulation-statement.v1',
    launch: statedHandoff(launch),
    stepId,
    simulation: { ...simulation },
  });

/** Returns the bytes that the finality worker signs for a public record. */
export const recordStatement = (
  launch: StatedHandoff,
  record: { readonly recordSha256: Sha256Digest; readonly evidenceSha256: Sha256Digest },
): Uint8Array =>
  bytesOf({
    schemaVersion: 'service.record-statement.v1',
    launch: statedHandoff(launch),
    recordSha256: record.recordSha256,
    evidenceSha256: record.evidenceSha256,
  });

const statedLaunch = ({ launchId, requestSha256, requestHash, contextHash }: StatedLaunch): StatedLaunch => ({
  launchId,
  requestSha256,
  requestHash,
  contextHash,
});
const statedHandoff = (launch: StatedHandoff): StatedHandoff => ({
  ...statedLaunch(launch),
  handoffSha256: launch.handoffSha256,
});
