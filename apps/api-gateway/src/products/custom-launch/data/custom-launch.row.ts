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

/** The members that the resource repeats from the request, as a create writes them. */
const customLaunchSummarySchema = z.strictObject({
  profile,
  budgets: budgetsSchema,
  components: z.array(sourceVerification.shape.components.element.omit({ status: true })).max(16),
});
export type CustomLaunchSummary = z.infer<typeof customLaunchSummarySchema>;

const statusSchema = z.enum(CUSTOM_LAUNCH_STATUSES);
const findingsSchema = z.array(customLaunchFindingSchema);

/** Decodes a row. @throws z.ZodError when the database holds a value that this version does not write: an internal fault. */
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

/** A decoded row of a custom launch: text columns are parsed before any use. */
export type CustomLaunchRow = ReturnType<typeof decodeCustomLaunch>;
