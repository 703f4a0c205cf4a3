import { z } from 'zod';
import { MAX_INDEX_HOLD_REASON, type IndexerActivities } from '../orchestration/indexing.types.js';
import { bytes32Schema, decimalSchema, sha256DigestSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

const ofSource = { releaseDigest: sha256DigestSchema };
const event = z.strictObject({
  blockHash: bytes32Schema,
  transactionHash: bytes32Schema,
  logIndex: z.number().int().min(0),
});

const place = z.strictObject({ blockNumber: decimalSchema, transactionHash: bytes32Schema.nullable() });

/** Argument schemas of the activities of `launch-indexer`. */
export const indexerInputs = inputsOf<IndexerActivities>()({
  followSource: z.tuple([z.strictObject(ofSource)]),
  requestRescan: z.tuple([z.strictObject({ ...ofSource, from: decimalSchema })]),
  rejudgeEvent: z.tuple([z.strictObject({ ...ofSource, event })]),
  holdPlace: z.tuple([z.strictObject({ ...ofSource, place, reason: z.string().min(1).max(MAX_INDEX_HOLD_REASON) })]),
  releasePlace: z.tuple([z.strictObject({ ...ofSource, place })]),
  dismissEvent: z.tuple([z.strictObject({ ...ofSource, event, reason: z.string().min(1).max(1_024) })]),
});
