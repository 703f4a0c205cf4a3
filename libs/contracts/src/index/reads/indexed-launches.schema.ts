import { z } from 'zod';
import { timestampSchema, type Sha256Digest } from '../../primitives/scalars.schema.js';
import { coinAxesSchema, coinLabelSchema } from '../coin-axes.schema.js';
import { cursorSchema, INDEX_PAGE_MAX, readStatusSchema, siteLaunchRecordSchema } from './read-parts.schema.js';

export const INDEXED_LAUNCHES_PATH = '/api/indexers/v1/launches';
/** The path of verification documents, by their digest (docs/reference/index-reads.md#verification-documents). */
export const VERIFICATIONS_PATH = '/api/indexers/v1/verifications';
export const verificationPathOf = (digest: Sha256Digest): string =>
  `${VERIFICATIONS_PATH}/${digest.slice('sha256:'.length)}`;
export const INDEXED_LAUNCHES_SCHEMA = 'service.indexed-launches.v1';
export const INDEXED_LAUNCH_SCHEMA = 'service.indexed-launch.v1';

/** Normalized records of finalized launches in the order of their admission. */
export const indexedLaunchesSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEXED_LAUNCHES_SCHEMA),
    items: z.array(siteLaunchRecordSchema).max(INDEX_PAGE_MAX),
    nextCursor: cursorSchema,
    /** Status over the requested sources. */
    status: readStatusSchema,
    /** Time when one of these sources was last written; null without sources. */
    updatedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'IndexedLaunches' });
export type IndexedLaunches = z.infer<typeof indexedLaunchesSchema>;

export const indexedLaunchSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEXED_LAUNCH_SCHEMA),
    launch: siteLaunchRecordSchema,
    axes: coinAxesSchema,
    label: coinLabelSchema,
  })
  .meta({ id: 'IndexedLaunch' });
export type IndexedLaunch = z.infer<typeof indexedLaunchSchema>;
