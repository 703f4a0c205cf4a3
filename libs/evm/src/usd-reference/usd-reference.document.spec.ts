import { expect, it } from '@jest/globals';
import { usdReferenceDocumentSchema } from '@launch/contracts/custom-launch';
import { usdReadingsOf, usdReferenceDocument, type LocatedUsdReading } from './usd-reference.document.js';
import { usdReferenceOf } from './usd-reference.js';

const reading: LocatedUsdReading = {
  blockNumber: 4_000n,
  blockHash: `0x${'1'.repeat(64)}`,
  blockTime: 1_900_000_000n,
  decimals: 8,
  roundId: (1n << 80n) - 1n,
  answer: 250_000_000_000n,
  updatedAt: 1_899_999_000n,
  answeredInRound: (1n << 80n) - 1n,
};

it('A signed reading suffices to compute the reference again.', () => {
  const readings = { l2Feed: reading, l1Feed: { ...reading, answer: 249_000_000_000n, blockNumber: 7n } };
  const terms = { l2Feed: { decimals: 8, heartbeatSeconds: 3_600 }, l1Feed: { decimals: 8, heartbeatSeconds: 3_600 } };
  const again = (given: Parameters<typeof usdReferenceOf>[1]) =>
    usdReferenceOf({ ...terms, maxDeviationBps: 100 }, given, 1_900_000_001n);
  const first = again(readings);
  if (first.kind !== 'usable') throw new Error(first.problem);

  const launch = {
    launchId: '00000000-0000-4000-8000-000000000001',
    requestHash: `0x${'2'.repeat(64)}`,
    contextHash: `0x${'3'.repeat(64)}`,
  } as const;
  const document = usdReferenceDocument({ ...first, readAt: 1_900_000_001n, readings }, launch);
  expect(usdReferenceDocumentSchema.parse(document)).toEqual(document);
  expect(document).toMatchObject({ ...launch, readAt: '1900000001', l1Feed: { blockNumber: '7' } });
  expect(again(usdReadingsOf(document))).toEqual(first);
  expect(document.oneUsdReferenceWei).toBe(String(first.oneUsdReferenceWei));
});
