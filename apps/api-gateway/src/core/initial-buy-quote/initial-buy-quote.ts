import type { ObservedUsdFeed, ObservedUsdReference } from '@launch/chain';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { CAIP2, canonicalKeccak, canonicalSha256 } from '@launch/contracts/primitives';
import type { InitialBuyQuote } from '@launch/contracts/reports';
import { USD_READING_MAX_AGE_SECONDS, usdFeedAge, usdFeedMaxAge, type UsdFeedTerms } from '@launch/evm';

type UsableReference = Extract<ObservedUsdReference, { kind: 'usable' }>;
type Feed = InitialBuyQuote['feeds']['l2Feed'];
type Price = InitialBuyQuote['ethUsd'];

/** Recommended headroom above the reference, in percent: the price may move until authorization. */
const HEADROOM_PERCENT = 5n;

/** Quotes an initial buy by a reading of both feeds. It knows no launch, and so no tokens (docs/reference/custom-launch.md#initial-buy-quote). */
export function initialBuyQuote(context: CustomLaunchContext, reference: UsableReference): InitialBuyQuote {
  const { usdReference } = context.chainDeployment;
  const { oneUsdReferenceWei, deviationBps, readAt, readings } = reference;
  const recommended = (oneUsdReferenceWei * (100n + HEADROOM_PERCENT) + 99n) / 100n;
  const l2Feed = quotedFeed('4663', usdReference.l2Feed.address, readings.l2Feed);
  const l1Feed = quotedFeed('1', usdReference.l1Feed.address, readings.l1Feed);
  const ethUsd = quotedPrice(l2Feed, usdReference.l2Feed, readings.l2Feed, readAt);
  const secondSource = quotedPrice(l1Feed, usdReference.l1Feed, readings.l1Feed, readAt);
  const secondsLeft = [ethUsd, secondSource].map(({ ageSeconds, maxAgeSeconds }) => maxAgeSeconds - ageSeconds);
  const quote: Omit<InitialBuyQuote, 'quoteId'> = {
    schemaVersion: 'service.chain-initial-buy-quote.v1',
    chainId: '4663',
    caip2: CAIP2,
    contextHash: canonicalKeccak(context),
    advisory: true,
    ethUsd,
    secondSource,
    deviationBps,
    oneUsdReferenceWei: String(oneUsdReferenceWei),
    minimumInitialBuyWei: String(oneUsdReferenceWei),
    recommendedInitialBuyWei: String(recommended),
    expectedTokensOut: null,
    minimumTokensOut: null,
    slippageBps: null,
    feeds: { l2Feed, l1Feed },
    maxDeviationBps: usdReference.maxDeviationBps,
    blockNumber: l2Feed.blockNumber,
    blockHash: l2Feed.blockHash,
    readAt: timestamp(Number(readAt)),
    validUntil: timestamp(Number(readAt) + Math.min(USD_READING_MAX_AGE_SECONDS, ...secondsLeft)),
    requestAuthorization: { requestAuthorized: false },
  };
  return { ...quote, quoteId: canonicalSha256(quote) };
}

const timestamp = (unixSeconds: number): string => new Date(unixSeconds * 1_000).toISOString();

const quotedFeed = (chainId: Feed['chainId'], address: Feed['address'], reading: ObservedUsdFeed): Feed => ({
  chainId,
  address,
  blockNumber: String(reading.blockNumber),
  blockHash: reading.blockHash,
  roundId: String(reading.roundId),
  answer: String(reading.answer),
  decimals: reading.decimals,
  updatedAt: String(reading.updatedAt),
});

const quotedPrice = (feed: Feed, terms: UsdFeedTerms, reading: ObservedUsdFeed, readAt: bigint): Price => ({
  source: `eip155:${feed.chainId}:${feed.address}`,
  answer: feed.answer,
  decimals: feed.decimals,
  roundId: feed.roundId,
  updatedAt: feed.updatedAt,
  ageSeconds: Number(usdFeedAge(reading, readAt)),
  maxAgeSeconds: usdFeedMaxAge(terms),
});
