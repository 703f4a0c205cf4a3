import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openGatewayDatabase, type OpenedDatabase } from '../../fixtures/gateway-database.js';
import { QuoteRepository } from './quote.repository.js';

let opened: OpenedDatabase;
let quotes: QuoteRepository;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  quotes = new QuoteRepository(opened.database);
});
afterAll(() => opened.close());

const HOUR_MS = 3_600_000;

it('The repository of quotes lets one of concurrent callers read the price of a context in each interval.', async () => {
  const claim = (everyMs: number) => Promise.all(Array.from({ length: 5 }, () => quotes.claim('one', everyMs)));
  expect((await claim(HOUR_MS)).filter((isClaimed) => isClaimed)).toHaveLength(1);
  expect(await claim(HOUR_MS)).not.toContain(true);
  expect(await quotes.claim('another', HOUR_MS)).toBe(true);
  expect(await quotes.claim('one', 0)).toBe(true);
});

it('The repository of quotes returns the last quote of a context until it is too old.', async () => {
  await quotes.claim('kept', HOUR_MS);
  expect(await quotes.last('kept', HOUR_MS)).toBeNull();
  await quotes.keep('kept', '{"quote":1}');
  expect([await quotes.last('kept', HOUR_MS), await quotes.last('other', HOUR_MS)]).toEqual(['{"quote":1}', null]);
  expect(await quotes.last('kept', 0)).toBeNull();
  await quotes.keep('kept', null);
  expect(await quotes.last('kept', HOUR_MS)).toBeNull();
  await quotes.keep('unclaimed', '{"quote":1}');
  expect(await quotes.last('unclaimed', HOUR_MS)).toBeNull();
});
