import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { createPool } from '@launch/platform';
import { openAdmissionDatabase, type AdmissionDatabase } from '@launch/prisma-admission';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createReceiptRepository } from './receipt/receipt.repository.js';
import { createHandoffRepository } from './simulation/handoff.repository.js';

const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyDigest = () => sha256Digest(randomBytes(8));

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: AdmissionDatabase;
beforeAll(async () => {
  test = await createTestDatabase('admission');
  pool = createPool({ connectionString: test.url, applicationName: 'admission-tests' });
  database = openAdmissionDatabase(pool);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

it('The repository of receipts keeps one receipt of a launch, and returns it to every concurrent caller.', async () => {
  const receipts = createReceiptRepository(database);
  const launchId = randomUUID();
  expect(await receipts.find(launchId)).toBeNull();
  const rows = await Promise.all(
    Array.from({ length: 5 }, () =>
      receipts.insertOnce({ launchId, requestHash: anyWord(), receiptSha256: anyDigest(), disposition: 'admitted' }),
    ),
  );
  const kept = await receipts.find(launchId);
  expect(kept).toEqual({ receiptSha256: expect.stringMatching(/^sha256:/), disposition: 'admitted' });
  expect(rows).toEqual(rows.map(() => kept));
});

it('The repository of hand-offs keeps one hand-off of a launch, and none for a digest of another launch.', async () => {
  const handoffs = createHandoffRepository(database);
  const launchId = randomUUID();
  const permitDigest = anyWord();
  expect(await handoffs.find(launchId)).toBeNull();
  const rows = await Promise.all(
    Array.from({ length: 5 }, () => handoffs.insertOnce({ launchId, handoffSha256: anyDigest(), permitDigest })),
  );
  const kept = await handoffs.find(launchId);
  expect(kept).toEqual({ handoffSha256: expect.stringMatching(/^sha256:/), permitDigest });
  expect(rows).toEqual(rows.map(() => kept));
  const other = { launchId: randomUUID(), handoffSha256: anyDigest(), permitDigest };
  await expect(handoffs.insertOnce(other)).rejects.toMatchObject({ code: 'P2025' });
  expect(await handoffs.find(other.launchId)).toBeNull();
});

it('Both repositories refuse a stored digest that is malformed.', async () => {
  const launchId = randomUUID();
  const noDigest = 'no digest'.padEnd(71);
  await database.sourceReceipt.create({
    data: { launchId, requestHash: anyWord(), receiptSha256: noDigest, disposition: 'admitted' },
  });
  await database.walletHandoff.create({ data: { launchId, handoffSha256: noDigest, permitDigest: anyWord() } });
  await expect(createReceiptRepository(database).find(launchId)).rejects.toThrow();
  await expect(createHandoffRepository(database).find(launchId)).rejects.toThrow();
});
