import { z } from 'zod';
import { addressOf, checksummed } from '../../primitives/eip55.js';
import type { Hex, Sha256Digest } from '../../primitives/scalars.schema.js';
import { launchRecordSchema, type LaunchRecord } from '../launch-record.schema.js';

/** The first block of a scan of chain 4663 (docs/reference/index-reads.md#module-mode). */
export const SCAN_START_BLOCK = '50469365';
export const STAMP_GENERATION = 'service-launch-stamp-router-v1';
/** The label of verified launches by router V1. */
export const CUSTOM_LABEL = 'Service Custom';
/** `LaunchKindV1`, as a router of version 1 stamps it. */
export const CUSTOM_GRAPH_KIND = 1;
export const FOUNDATION_GRAPH_KIND = 2;

/** An address with its EIP-55 checksum, as in the site's answers (docs/reference/index-reads.md#addresses). */
export const checksummedAddressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'a 0x-prefixed 20-byte address with its EIP-55 checksum')
  .refine((text) => {
    const address = addressOf(text);
    return address !== null && checksummed(address) === text;
  }, 'an address with its EIP-55 checksum') as unknown as z.ZodType<Hex, Hex>;

/** Path of the exact bytes of an ABI. */
export const ABI_PATH = '/api/v2/abi';
export const abiUrlOf = (sha256: Sha256Digest): string => `${ABI_PATH}/${sha256.slice('sha256:'.length)}.json`;
export const abiUrlSchema = z.string().regex(/^\/api\/v2\/abi\/[0-9a-f]{64}\.json$/);

/**
 * Reliability of a list. `stale`: the checkpoint of a source was confirmed longer ago than the bound, or the source
 * does not advance. `indeterminate`: a source has no checkpoint, is stopped or has a hold, so coins may be missing.
 */
export const READ_STATUSES = ['ok', 'stale', 'indeterminate'] as const;
export const readStatusSchema = z.enum(READ_STATUSES);
export type ReadStatus = (typeof READ_STATUSES)[number];

/** A checkpoint that is older than this makes reads `stale` (docs/reference/index-reads.md#read-status). */
export const STALE_AFTER_SECONDS = 120;
/** A source that has not advanced for longer is stalled: reads are `stale` and the indexer is degraded. */
export const STALLED_AFTER_SECONDS = 60;
/** The largest and the default page size of index lists. */
export const INDEX_PAGE_MAX = 100;
export const INDEX_PAGE_DEFAULT = 25;

export const cursorSchema = z.string().max(512).nullable();

const ADDRESSES = ['sourceAddress', 'tokenAddress', 'creator', 'poolManager', 'hookAddress'] as const;

/** A normalized record as the site shows it, with checksummed addresses. */
export const siteLaunchRecordSchema = launchRecordSchema
  .extend({
    sourceAddress: checksummedAddressSchema,
    tokenAddress: checksummedAddressSchema,
    creator: checksummedAddressSchema,
    poolManager: checksummedAddressSchema,
    hookAddress: checksummedAddressSchema,
    runtime: checksummedAddressSchema.nullable(),
    routerAddress: checksummedAddressSchema.nullable(),
  })
  .meta({ id: 'SiteLaunchRecord' });

/** Converts a record's addresses to their checksummed form. */
export function siteLaunchRecord(record: LaunchRecord): LaunchRecord {
  const site = { ...record };
  for (const name of ADDRESSES) site[name] = checksummed(record[name]);
  if (record.runtime !== null) site.runtime = checksummed(record.runtime);
  if (record.routerAddress !== null) site.routerAddress = checksummed(record.routerAddress);
  return site;
}
