import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseStrictJson } from '@launch/contracts/json';
import { signedReceiptSchema, type LaunchListItem, type LaunchResource } from '@launch/contracts/multi-role';
import { admitWorkflowId, observeWorkflowId, SEARCH_ATTRIBUTES } from '@launch/contracts/orchestration';
import { canonicalSha256, sha256Digest } from '@launch/contracts/primitives';
import { sendFromController } from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { createPublicClient, http, type Hex } from 'viem';
import { freshKey, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import { forbiddenMode } from './fixtures/launcher.fixture.js';
import { inDatabase } from './fixtures/stack-databases.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { workflowsFoundBy } from './fixtures/workflow-list.fixture.js';
import { codesOf, errorOf, type Answer, type LaunchApi } from './launch-api.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const TAKES_MS = 240_000;

/** A reserved request, with everything needed to send it again. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly resource: LaunchResource;
}

let stack: StackAccess;
let desk: LaunchDesk;
let api: LaunchApi;
let temporal: TemporalClient;
let createOnly: string;
/**
 * A launch that was handed off and sent, one that was handed off only, a refused one, and one of a key without the
 * read scope.
 */
let launched: Sent;
let unsent: Sent;
let refused: Sent;
let unseen: Sent;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
  api = desk.api;
  temporal = await connectTemporal(stack.stack.temporal);
  createOnly = await stack.issueKey({ scopes: ['custom-launch:create'] });
  const reserve = async (bytes: Uint8Array, apiKey?: string): Promise<Sent> => {
    const key = freshKey();
    return { bytes, key, resource: await desk.reserve(bytes, key, apiKey) };
  };
  const [first, second, wrong, hidden] = [
    await reserve(await desk.request()),
    await reserve(await desk.request()),
    await reserve(await desk.request(forbiddenMode)),
    await reserve(await desk.request(), createOnly),
  ];
  unseen = hidden;
  launched = { ...first, resource: await desk.authorized(first.resource.launchId) };
  unsent = { ...second, resource: await desk.authorized(second.resource.launchId) };
  refused = {
    ...wrong,
    resource: await api.until(wrong.resource.launchId, ({ status }) => status === 'action_required'),
  };
}, 300_000);
afterAll(() => temporal?.close());

const failure = (answer: Answer): [number, string] => [answer.status, errorOf(answer).code];
const resourceOf = (answer: Answer): LaunchResource => answer.body as LaunchResource;
const listed = async (launchId: string): Promise<LaunchListItem> =>
  ((await api.send('GET', '')).body as { items: LaunchListItem[] }).items.find((one) => one.launchId === launchId)!;

describe('an exact replay', () => {
  it(
    'returns the record and its one permit',
    async () => {
      const again = await api.create(unsent.bytes, unsent.key);
      expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('location')]).toEqual([
        200,
        'true',
        unsent.resource.statusUrl,
      ]);
      expect(resourceOf(again).wallet).toEqual(unsent.resource.wallet);
      expect(await recordsOf(stack, unsent.resource.launchId)).toMatchObject({
        decisions: [{ kind: 'digest', permitDigest: unsent.resource.wallet!.permitDigest }],
      });
    },
    TAKES_MS,
  );

  it(
    'returns the assessment of the one signed receipt that admission keeps',
    async () => {
      for (const {
        resource: { launchId, requestHash, contextHash },
      } of [unsent, refused]) {
        const rows = await inDatabase<{ sha256: string }>(
          stack,
          'launch_admission',
          'SELECT receipt_sha256 AS sha256 FROM source_receipts WHERE launch_id = $1',
          [launchId],
        );
        expect(rows).toHaveLength(1);
        const hex = rows[0]!.sha256.slice('sha256:'.length);
        const bytes = await readFile(path.join(stack.dir, 'blobs', 'kept', hex.slice(0, 2), hex.slice(2, 4), hex));
        const { receipt, signature } = signedReceiptSchema.parse(parseStrictJson(bytes));
        expect([sha256Digest(bytes), signature]).toEqual([rows[0]!.sha256, expect.any(String)]);
        expect(receipt).toMatchObject({ kind: 'admission', launchId, requestHash, contextHash });
        const { disposition, findingCodes } = receipt;
        for (const told of [await api.get(launchId), await listed(launchId)])
          expect(told.sourceAssessment).toMatchObject({
            disposition,
            findingCodes,
            receiptHash: canonicalSha256(receipt),
          });
      }
    },
    TAKES_MS,
  );
});

describe('a key', () => {
  it(
    'that may only create never receives a wallet hand-off, also on a replay',
    async () => {
      const { launchId } = unseen.resource;
      await until(async () => (await recordsOf(stack, launchId)).launches[0]?.permitDigest != null);
      const again = await api.create(unseen.bytes, unseen.key, createOnly);
      expect([again.status, resourceOf(again).launchId, resourceOf(again).wallet]).toEqual([200, launchId, null]);
      const hint = JSON.stringify({
        schemaVersion: 'service.multi-role-transaction-hint.v2',
        transactionHash: `0x${'1'.repeat(64)}`,
      });
      const reads = [
        await api.send('GET', launchId, { key: createOnly }),
        await api.send('GET', `${launchId}/finality`, { key: createOnly }),
        await api.send('GET', '', { key: createOnly }),
        await api.send('POST', `${launchId}/transaction-hints`, { key: createOnly, body: hint }),
      ];
      expect(reads.map(failure)).toEqual(reads.map(() => [403, 'INSUFFICIENT_SCOPE']));
    },
    TAKES_MS,
  );
});

describe('the Temporal server as an operator’s console', () => {
  it(
    'finds a launch by its id, its controller, its stage and its family',
    async () => {
      const { launchId } = unsent.resource;
      const both = [admitWorkflowId(launchId), observeWorkflowId(launchId)];
      const [admission, observation] = both as [string, string];
      const { launchId: id, controller, stage, family } = SEARCH_ATTRIBUTES;
      const found = (query: string, workflowIds: readonly string[]) => workflowsFoundBy(temporal, query, workflowIds);
      expect(await found(`${id} = '${launchId}'`, both)).toEqual(both);
      expect(await found(`${controller} = '${desk.wallet}'`, both)).toEqual(expect.arrayContaining(both));
      await found(`${stage} = 'authorized'`, [admission]);
      const ended = [admitWorkflowId(refused.resource.launchId)];
      expect(await found(`${stage} = 'refused' AND ${controller} = '${desk.wallet}'`, ended)).toEqual(ended);
      expect(await found(`${stage} = 'pending' AND ${id} = '${launchId}'`, [observation])).toEqual([observation]);
      expect(await found(`${family} = 'multi-role.v2' AND ${id} = '${launchId}'`, both)).toEqual(both);
      expect(await found(`${family} = 'custom-launch.v4' AND ${id} = '${launchId}'`, [])).toEqual([]);
      expect(await found(`${id} = '${randomUUID()}'`, [])).toEqual([]);
    },
    TAKES_MS,
  );
});

describe('A launch between database and chain', () => {
  let own: Hex;
  const nonceOf = (sent: Sent): string => sent.resource.nonce;

  it(
    'ignores the hash of another transaction, and is found by its own',
    async () => {
      const { launchId, wallet } = launched.resource;
      const body = JSON.stringify({
        schemaVersion: 'service.multi-role-transaction-hint.v2',
        transactionHash: await anyTransaction(),
      });
      expect((await api.send('POST', `${launchId}/transaction-hints`, { body })).status).toBe(202);
      // The hint is accepted, and then polled twice.
      await until(async () =>
        (
          await inDatabase<{ told: boolean }>(
            stack,
            'launch_gateway',
            'SELECT delivered_at IS NOT NULL AS told FROM transaction_hint WHERE launch_id = $1',
            [launchId],
          )
        ).every(({ told }) => told),
      );
      const polls = async (): Promise<number> =>
        (
          await inDatabase<{ polls: number }>(
            stack,
            'launch_finality',
            'SELECT polls FROM launch_observations WHERE launch_id = $1',
            [launchId],
          )
        )[0]?.polls ?? 0;
      const before = await polls();
      await until(async () => (await polls()) >= before + 2);
      const unmoved = await api.get(launchId);
      expect(unmoved).toMatchObject({
        status: 'awaiting_wallet_signature',
        finality: { state: 'pending', transactionHash: null },
        wallet,
      });

      own = await sendFromController(stack.stack, wallet!.walletTransaction);
      const included = await api.until(launchId, ({ finality }) => finality.state !== 'pending');
      expect(included.finality.transactionHash).toBe(own);
    },
    TAKES_MS,
  );

  it(
    'is refused with a nonce that the chain has seen, even if the database does not contain it',
    async () => {
      const removed = await inDatabase(
        stack,
        'launch_gateway',
        'DELETE FROM nonce_reservation WHERE nonce = $1 RETURNING nonce',
        [nonceOf(launched)],
      );
      expect(removed).toHaveLength(1);
      const bytes = await desk.request((request) => (request.nonce = nonceOf(launched)));
      // The block that the gateway reads may be slightly older than the one with the launch.
      await until(async () => (await api.preflight(bytes)).status === 422);
      const preflight = await api.preflight(bytes);
      expect([preflight.status, codesOf(preflight)]).toEqual([422, ['NONCE_IN_USE']]);
      expect(failure(await api.create(bytes, freshKey()))).toEqual([409, 'NONCE_IN_USE']);
    },
    TAKES_MS,
  );
});

/** Returns the newest transaction of a chain to which the launch's own was not yet sent. */
async function anyTransaction(): Promise<Hex> {
  const chain = createPublicClient({ transport: http(stack.stack.rpc['4663'][0]) });
  for (let blockNumber = await chain.getBlockNumber(); ; blockNumber -= 1n) {
    const [first] = (await chain.getBlock({ blockNumber })).transactions;
    if (first !== undefined) return first;
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + TAKES_MS; Date.now() < deadline; await sleep(200)) if (await condition()) return;
  throw new Error('it did not come to be');
}
