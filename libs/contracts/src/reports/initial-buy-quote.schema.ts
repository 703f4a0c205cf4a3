import { z } from 'zod';
import { CAIP2 } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  timestampSchema,
  unixSecondsSchema,
} from '../primitives/scalars.schema.js';
import { launchReportPath } from './launch-reports.schema.js';

/** Advice on the smallest allowed initial buy (docs/reference/custom-launch.md#initial-buy-quote). */
export const INITIAL_BUY_QUOTE_PATH = launchReportPath('initial-buy-quote');

/** One price feed at one block, as both observers of its chain read it. */
const quotedFeedSchema = z.strictObject({
  chainId: z.enum(['4663', '1']),
  address: addressSchema,
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  roundId: decimalSchema,
  answer: decimalSchema.describe('Price of one unit of the native currency in US dollars, multiplied by 10^decimals.'),
  decimals: z.number().int().min(0).max(36),
  updatedAt: unixSecondsSchema,
});

/** `GET /initial-buy-quote`: advice. The server reads its own reference again at authorization. */
export const initialBuyQuoteSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-initial-buy-quote.v1'),
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    contextHash: bytes32Schema,
    advisory: z.literal(true),
    oneUsdReferenceWei: decimalSchema.describe('One US dollar in wei at the lower of both prices, rounded up.'),
    minimumInitialBuyWei: decimalSchema.describe('The smallest accepted initial buy, equal to the reference.'),
    recommendedInitialBuyWei: decimalSchema.describe(
      'The reference plus five percent, to allow for price changes before authorization.',
    ),
    expectedTokensOut: z.null().describe('Always null: the quote is not about a specific launch.'),
    minimumTokensOut: z.null(),
    slippageBps: z.null(),
    feeds: z.strictObject({ l2Feed: quotedFeedSchema, l1Feed: quotedFeedSchema }),
    maxDeviationBps: z.number().int(),
    readAt: timestampSchema,
    requestAuthorization: z.strictObject({ requestAuthorized: z.literal(false) }),
  })
  .meta({ id: 'InitialBuyQuote' });
export type InitialBuyQuote = z.infer<typeof initialBuyQuoteSchema>;
