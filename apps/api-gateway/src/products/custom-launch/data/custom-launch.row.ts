import {
  customLaunchFinalitySchema,
  customLaunchHandoffSchema,
  customLaunchResourceSchema,
} from '@launch/contracts/custom-launch';
import { budgetsSchema, customLaunchFindingSchema } from '@launch/contracts/launch';
import { CUSTOM_LAUNCH_STATUSES } from '@launch/contracts/states';
import { z } from 'zod';
import { decodedOrNull, decodedText, type StoredLaunch } from '../../../core/launches/stored-launch.js';

const { profile, sourceVerification, failure } = customLaunchResourceSchema.shape;

/** What the resource repeats of the request, as a create writes it. */
const customLaunchSummarySchema = z.strictObject({
  profile,
  budgets: budgetsSchema,
  components: z.array(sourceVerification.shape.components.element.omit({ status: true })).max(16),
});
export type CustomLaunchSummary = z.infer<typeof customLaunchSummarySchema>;

const statusSchema = z.enum(CUSTOM_LAUNCH_STATUSES);
const findingsSchema = z.array(customLaunchFindingSchema);

/** @throws z.ZodError when the database holds what this version does not write: a fault, not a client's. */
export function decodeCustomLaunch(row: StoredLaunch) {
  if (row.summary === null) throw new TypeError(`launch ${row.launchId} has no summary`);
  return {
    launchId: row.launchId,
    controller: row.controller,
    requestSha256: row.requestSha256,
    onchainLaunchId: row.onchainLaunchId,
    deadline: BigInt(row.deadline),
    status: statusSchema.parse(row.status),
    statusReason: row.statusReason,
    summary: decodedText(customLaunchSummarySchema, row.summary),
    findings: decodedText(findingsSchema, row.findings),
    handoff: decodedOrNull(customLaunchHandoffSchema, row.handoff),
    finality: decodedOrNull(customLaunchFinalitySchema, row.finality),
    failure: decodedOrNull(failure, row.failure),
    publication: row.publication,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** A row of a V4 launch, decoded: text columns are parsed before anybody uses them. */
export type CustomLaunchRow = ReturnType<typeof decodeCustomLaunch>;
