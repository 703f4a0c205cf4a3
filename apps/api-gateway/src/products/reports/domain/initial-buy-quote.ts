import type { ObservedUsdFeed, ObservedUsdReference } from '@launch/chain';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { CAIP2, canonicalKeccak } from '@launch/contracts/primitives';
import type { InitialBuyQuote } from '@launch/contracts/reports';

type UsableReference = Extract<ObservedUsdReference, { kind: 'usable' }>;
type Feed = InitialBuyQuote['feeds']['l2Feed'];

/** Recommended headroom above the reference, in percent: the price may move until authorization. */
const HEADROOM_PERCENT = 5n;

/** Quotes an initial buy by a reading of both feeds. It knows no launch, and so no tokens (docs/reference/custom-launch.md#initial-buy-quote). */
export function initialBuyQuote(context: CustomLaunchContext, reference: UsableReference): InitialBuyQuote {
  const { usdReference } = context.chainDeployment;
  const { oneUsdReferenceWei, readAt, readings } = reference;
  const recommended = (oneUsdReferenceWei * (100n + HEADROOM_PERCENT) + 99n) / 100n;
  return {
    schemaVersion: 'service.chain-initial-buy-quote.v1',
    chainId: '4663',
    caip2: CAIP2,
    contextHash: canonicalKeccak(context),
    advisory: true,
    oneUsdReferenceWei: String(oneUsdReferenceWei),
    minimumInitialBuyWei: String(oneUsdReferenceWei),
    recommendedInitialBuyWei: String(recommended),
    expectedTokensOut: null,
    minimumTokensOut: null,
    slippageBps: null,
    feeds: {
      l2Feed: quotedFeed('4663', usdReference.l2Feed.address, readings.l2Feed),
      l1Feed: quotedFeed('1', usdReference.l1Feed.address, readings.l1Feed),
    },
    maxDeviationBps: usdReference.maxDeviationBps,
    readAt: new Date(Number(readAt) * 1_000).toISOString(),
    requestAuthorization: { requestAuthorized: false },
  };
}

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
