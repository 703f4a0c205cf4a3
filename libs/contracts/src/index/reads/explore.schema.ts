import { z } from 'zod';
import { bytes32Schema, timestampSchema } from '../../primitives/scalars.schema.js';
import { MAX_LAUNCH_MODULES, METADATA_STATUSES } from '../launch-record.schema.js';
import { coinAxesSchema, coinLabelSchema } from '../coin-axes.schema.js';
import { FINALITY_STAGES, FOUNDATION_FACTORY_VERSIONS, SOURCE_VERSIONS } from '../source-versions.js';
import { marketSchema } from '../market.schema.js';
import { checksummedAddressSchema, readStatusSchema } from './read-parts.schema.js';

export const EXPLORE_PATH = '/api/explore/chain';
export const PROFILE_PATH = '/api/profile/chain';
export const PRESENTATION_PATH = '/api/explore/chain/presentation';

export const EXPLORE_MODES = ['all', 'module', 'custom'] as const;
export type ExploreMode = (typeof EXPLORE_MODES)[number];
/** There is no order by volume, because it would sum the last day of every coin. */
export const EXPLORE_SORTS = ['newest', 'oldest', 'name'] as const;
export type ExploreSort = (typeof EXPLORE_SORTS)[number];
export const EXPLORE_PAGE_SIZES = [10, 50] as const;
export const PROFILE_PAGE_SIZE = 50;

/** A coin in a list of the site. Text is untrusted display data, unchanged. */
export const exploreItemSchema = z
  .strictObject({
    chainId: z.union([z.literal(1), z.literal(4663)]),
    tokenAddress: checksummedAddressSchema,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    mode: z.enum(['module', 'custom']),
    sourceKind: z.enum(SOURCE_VERSIONS),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable(),
    moduleFamilyIds: z.array(bytes32Schema).max(MAX_LAUNCH_MODULES),
    creator: checksummedAddressSchema,
    poolId: bytes32Schema,
    launchedAt: timestampSchema,
    finalityStage: z.enum(FINALITY_STAGES),
    label: coinLabelSchema,
    imageUrl: z.string().nullable(),
    market: marketSchema,
  })
  .meta({ id: 'ExploreItem' });
export type ExploreItem = z.infer<typeof exploreItemSchema>;

const pageOf = (pageSize: z.ZodType<number>) =>
  z.strictObject({
    number: z.number().int().positive(),
    pageSize,
    totalItems: z.number().int().nonnegative(),
    totalPages: z.number().int().nonnegative(),
    hasMore: z.boolean(),
  });

const list = {
  status: readStatusSchema,
  /** Time when a source was last written; null without sources. */
  updatedAt: timestampSchema.nullable(),
  items: z.array(exploreItemSchema).max(PROFILE_PAGE_SIZE),
};

/** The site's listing (docs/reference/index-reads.md#lists-of-the-site). */
export const chainExploreSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-explore.v1'),
    ...list,
    page: pageOf(z.union([z.literal(10), z.literal(50)])),
  })
  .meta({ id: 'ChainExplore' });
export type ChainExplore = z.infer<typeof chainExploreSchema>;

/** The coins of one launch wallet. */
export const chainProfileSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-profile.v1'),
    account: checksummedAddressSchema,
    ...list,
    page: pageOf(z.literal(PROFILE_PAGE_SIZE)),
  })
  .meta({ id: 'ChainProfile' });
export type ChainProfile = z.infer<typeof chainProfileSchema>;

export const PRESENTATION_LINKS = ['website', 'x', 'telegram', 'discord', 'github', 'gitbook'] as const;

/** A coin's own metadata. */
export const chainPresentationSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-presentation.v1'),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    token: checksummedAddressSchema,
    imageUrl: z.string().nullable(),
    description: z.string().nullable(),
    links: z
      .array(z.strictObject({ label: z.enum(PRESENTATION_LINKS), url: z.string() }))
      .max(PRESENTATION_LINKS.length),
    market: marketSchema,
    metadataStatus: z.enum(METADATA_STATUSES),
    axes: coinAxesSchema,
    label: coinLabelSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'ChainPresentation' });
export type ChainPresentation = z.infer<typeof chainPresentationSchema>;
