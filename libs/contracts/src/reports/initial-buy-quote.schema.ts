import { z } from 'zod';
import { CAIP2 } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
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

/** A price and its age when the service read it. `feeds` has the block of each chain at which it was read. */
const quotedPriceSchema = z.strictObject({
  source: z
    .string()
    .regex(/^eip155:(4663|1):0x[0-9a-f]{40}$/)
    .describe('The price feed as a CAIP-10 account: the chain and the address of the contract.'),
  answer: decimalSchema.describe('Price of one unit of the native currency in US dollars, multiplied by 10^decimals.'),
  decimals: z.number().int().min(0).max(36),
  roundId: decimalSchema,
  updatedAt: unixSecondsSchema,
  ageSeconds: z
    .int()
    .nonnegative()
    .describe('Seconds from `updatedAt` to `readAt`, or to the time of the block if that is later.'),
  maxAgeSeconds: z
    .int()
    .positive()
    .describe('The greatest age of a usable price: the heartbeat of the feed plus 300 seconds.'),
});

/** `GET /initial-buy-quote`: advice. The server reads its own reference again at authorization. */
export const initialBuyQuoteSchema = z
  .strictObject({
    schemaVersion: z.literal('service.chain-initial-buy-quote.v1'),
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    contextHash: bytes32Schema,
    quoteId: sha256DigestSchema.describe(
      'SHA-256 digest of the canonical JSON (RFC 8785) of the quote without this member. One reading has one ID at every gateway.',
    ),
    advisory: z.literal(true),
    ethUsd: quotedPriceSchema.describe('The price on chain 4663.'),
    secondSource: quotedPriceSchema.describe('The price on Ethereum.'),
    deviationBps: z
      .int()
      .nonnegative()
      .describe(
        'Difference between both prices in hundredths of a percent of the lower price, rounded up. At most `maxDeviationBps`.',
      ),
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
    blockNumber: decimalSchema.describe('The block of chain 4663 at which `ethUsd` was read.'),
    blockHash: bytes32Schema,
    readAt: timestampSchema,
    validUntil: timestampSchema.describe(
      'The time after which the reading is too old to decide a permit: 90 seconds after `readAt`, or earlier if a price reaches its greatest age.',
    ),
    requestAuthorization: z.strictObject({ requestAuthorized: z.literal(false) }),
  })
  .meta({ id: 'InitialBuyQuote' });
export type InitialBuyQuote = z.infer<typeof initialBuyQuoteSchema>;
