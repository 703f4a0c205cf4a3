import {
  EXPLORE_MODES,
  EXPLORE_SORTS,
  INDEX_PAGE_DEFAULT,
  INDEX_PAGE_MAX,
  SOURCE_VERSIONS,
  type IndexedChain,
} from '@launch/contracts/index';
import { addressOf, addressSchema, checksummed, type Hex } from '@launch/contracts/primitives';
import { z } from 'zod';

/** The documented form of an address: lists return checksummed ones, which a client may send back. */
const ADDRESS_FORM = { pattern: '^0x[0-9a-fA-F]{40}$' };

/** An address in lowercase or with its right checksum, read as lowercase (docs/reference/index-reads.md#addresses). */
export const addressQuery = z
  .string()
  .transform((text, context): Hex => {
    const address = addressOf(text);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: 'an address in lowercase or with its EIP-55 checksum' });
    return z.NEVER;
  })
  .pipe(addressSchema)
  .meta(ADDRESS_FORM);

const CHAIN = { error: '1 or 4663' };
export const chainQuery = z
  .enum(['1', '4663'], CHAIN)
  .transform((text): IndexedChain => (text === '1' ? 1 : 4663))
  .pipe(z.union([z.literal(1), z.literal(4663)]))
  .describe('The chain id, 1 or 4663.');

const numbered = (max: number, digits: string) =>
  z
    .string()
    .regex(new RegExp(`^[1-9][0-9]{0,${digits}}$`), { error: `1 to ${max}` })
    .transform(Number)
    .pipe(
      z
        .int()
        .min(1, { error: `1 to ${max}` })
        .max(max, { error: `1 to ${max}` }),
    );

export const indexPageQuery = {
  limit: numbered(INDEX_PAGE_MAX, '2').default(INDEX_PAGE_DEFAULT).describe('Number of items on a page.'),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'Opaque cursor: the `nextCursor` of the previous page.', maxLength: 512 }),
};

export const indexedLaunchesQuery = z.strictObject({
  chainId: chainQuery.optional(),
  sourceKind: z.enum(SOURCE_VERSIONS, { error: SOURCE_VERSIONS.join(', ') }).optional(),
  ...indexPageQuery,
});
export type IndexedLaunchesQuery = z.output<typeof indexedLaunchesQuery>;

export const developerLaunchesQuery = z.strictObject(indexPageQuery);
export type DeveloperLaunchesQuery = z.output<typeof developerLaunchesQuery>;

/** The last page that a number can name; cursors reach further. */
const LAST_PAGE = 99_999;
const page = numbered(LAST_PAGE, '4').default(1).describe('Page number, from 1. Pages past the end are empty.');

export const exploreQuery = z.strictObject({
  mode: z.enum(EXPLORE_MODES, { error: EXPLORE_MODES.join(', ') }).default('all'),
  page,
  pageSize: z
    .enum(['10', '50'], { error: '10 or 50' })
    .transform((text) => (text === '10' ? 10 : 50))
    .pipe(z.union([z.literal(10), z.literal(50)]))
    .default(50),
  q: z
    .string()
    .min(1, { error: '1 to 64 characters' })
    .refine((text) => [...text].length <= 64 && !text.includes('\u0000'), { error: '1 to 64 characters' })
    .optional()
    .describe(
      'Part of a name or symbol in any letter case, or a complete token address. A query without three consecutive Latin letters or digits searches only the first 20,000 coins in the requested order. For other queries, at most 10,000 matches are sorted.',
    ),
  sort: z.enum(EXPLORE_SORTS, { error: EXPLORE_SORTS.join(', ') }).default('newest'),
});
export type ExploreQuery = z.output<typeof exploreQuery>;

export const profileQuery = z.strictObject({
  account: addressQuery.describe('The address of the launch wallet.'),
  page,
});
export type ProfileQuery = z.output<typeof profileQuery>;

export const presentationQuery = z.strictObject({
  token: addressQuery.describe('The token address.'),
  chainId: chainQuery.optional(),
});
export type PresentationQuery = z.output<typeof presentationQuery>;

export const tradesQuery = z.strictObject({
  token: addressQuery.describe('The token address.'),
  chainId: chainQuery,
  ...indexPageQuery,
});
export type TradesQuery = z.output<typeof tradesQuery>;

/** An address with its exact EIP-55 checksum (docs/reference/index-reads.md#addresses). */
const checksummedQuery = z
  .string()
  .refine(
    (text) => {
      const address = addressOf(text);
      return address !== null && checksummed(address) === text;
    },
    { error: 'an address with its EIP-55 checksum' },
  )
  .transform((text) => addressOf(text)!)
  .pipe(addressSchema)
  .meta(ADDRESS_FORM);

export const moduleFoundationQuery = z.strictObject({
  chainId: chainQuery,
  token: checksummedQuery.optional().describe('A token address with its EIP-55 checksum.'),
});
export type ModuleFoundationQuery = z.output<typeof moduleFoundationQuery>;
