import { z } from 'zod';
import { CUSTOM_LABEL } from './reads/read-parts.schema.js';

/** No source shows these facts, so they have only this value. */
const unverified = z.literal('UNVERIFIED');

/** Separate facts about a coin (docs/reference/index-reads.md#axes). */
export const coinAxesSchema = z
  .strictObject({
    provenance: z
      .enum(['STAMPED', 'NOT_STAMPED', 'INDETERMINATE'])
      .describe(
        'Whether a published router stamped the coin. `NOT_STAMPED` is returned only if every router of the chain was read without a gap.',
      ),
    feedAvailability: z
      .enum(['AVAILABLE', 'UNAVAILABLE'])
      .describe('Whether the finalized feed of the chain is complete. Independent of this coin.'),
    finality: z.enum(['FINALIZED', 'INDETERMINATE']),
    sourceVerification: z
      .enum(['EXACT_MATCH', 'UNVERIFIED'])
      .describe("Whether the coin's record in that feed has an exact source match for every component."),
    writeActivation: z
      .enum(['ACTIVE', 'INACTIVE', 'UNAVAILABLE'])
      .describe(
        'Whether the service accepts new launches. `UNAVAILABLE` if the state cannot be read or contradicts itself.',
      ),
    feeBehaviour: unverified,
    security: unverified,
    marketSupport: unverified,
    thirdPartyIndexing: unverified,
  })
  .meta({ id: 'CoinAxes' });
export type CoinAxes = z.infer<typeof coinAxesSchema>;

/** Present only if provenance, feed, finality and exact source all hold. */
export const coinLabelSchema = z.literal(CUSTOM_LABEL).nullable();
export type CoinLabel = z.infer<typeof coinLabelSchema>;
