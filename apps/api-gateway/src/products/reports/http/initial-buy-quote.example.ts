import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { initialBuyQuote } from '../../../core/initial-buy-quote/initial-buy-quote.js';

const READ_AT = 1_795_176_000n;
const READING = {
  blockNumber: 1_024n,
  blockHash: `0x${'4'.repeat(64)}`,
  blockTime: READ_AT,
  decimals: 8,
  roundId: 7n,
  answer: 320_000_000_000n,
  updatedAt: READ_AT - 600n,
  answeredInRound: 7n,
} as const;

/** At 3,200 US dollars for one unit of the native currency. */
export const INITIAL_BUY_QUOTE_EXAMPLE = initialBuyQuote(RELEASE_EXAMPLE.bound!.context, {
  kind: 'usable',
  oneUsdReferenceWei: 312_500_000_000_000n,
  deviationBps: 50,
  readAt: READ_AT,
  readings: {
    l2Feed: READING,
    l1Feed: {
      ...READING,
      blockNumber: 24_000_000n,
      blockHash: `0x${'5'.repeat(64)}`,
      roundId: 9n,
      answer: 321_600_000_000n,
    },
  },
});
