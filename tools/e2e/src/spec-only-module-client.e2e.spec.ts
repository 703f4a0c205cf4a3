import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ModuleSpecClient,
  prepare,
  SUBMISSIONS,
  type Declared,
  type Prepared,
} from './fixtures/module-spec-client.fixture.js';
import { reviewerOf } from './fixtures/service-reviewer.fixture.js';
import { PATIENCE_MS, until, type Json } from './fixtures/spec-client.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const SCOPES = ['modules:submit', 'modules:read'];
const MANY = 45;

let stack: StackAccess;
let author: string;
let client: ModuleSpecClient;
let stranger: ModuleSpecClient;
/** In the order of their intake. */
const received: Json[] = [];

const someone = (): string => `0x${randomBytes(20).toString('hex')}`;
const newKey = (): string => `spec-only:${randomUUID()}`;
const draft = (more: Partial<Declared> = {}): Prepared =>
  prepare({ author, rewardWallet: someone(), family: 'described', version: '1.0.0', ...more });
async function create(prepared: Prepared, key = newKey()): Promise<Json> {
  const { status, json } = await client.submit(prepared, key);
  expect(status).toBe(201);
  received.push(json);
  return json;
}

beforeAll(async () => {
  stack = await useStack('launches');
  const { gateway, issueKey } = stack;
  author = someone();
  client = new ModuleSpecClient(gateway, await issueKey({ scopes: SCOPES, wallet: author }));
  stranger = new ModuleSpecClient(gateway, await issueKey({ scopes: SCOPES, wallet: someone() }));
  await Promise.all([client.discover(), stranger.discover()]);
}, 2 * PATIENCE_MS);

describe('an author who has only the description of module contributions', () => {
  it(
    'submits a draft and its successor, replays both, and reads the state of their reviews',
    async () => {
      const [first, key] = [draft(), newKey()];
      const receipt = await create(first, key);
      expect((await client.review(receipt))['review']).toMatchObject({ state: 'awaiting_plan', attempt: 0 });
      const next = draft({ version: '1.1.0', supersedes: receipt['submissionId'] });
      const successor = await create(next);
      expect(successor['familyId']).toBe(receipt['familyId']);
      expect((await client.review(successor))['decision']).toBeNull();
      // The first receipt is unchanged.
      const replay = await client.submit(first, key);
      const read = await client.ask('GET', `${SUBMISSIONS}/${receipt['submissionId']}`);
      expect([replay.status, read.status, read.json]).toEqual([200, 200, receipt]);
      expect(replay.bytes.equals(read.bytes)).toBe(true);
      const other = await client.ask('POST', SUBMISSIONS, { body: next.bytes, key });
      expect(other.json['error'].code).toBe('MODULE_IDEMPOTENCY_CONFLICT');
    },
    PATIENCE_MS,
  );

  it(
    'reads a review from state to state to its end, while the receipt stays unchanged',
    async () => {
      const receipt = await create(draft({ family: 'reviewed' }));
      const states: string[] = [];
      const look = async (): Promise<Json> => {
        const status = await client.review(receipt);
        const { state } = status['review'];
        if (states.at(-1) !== state) states.push(state);
        return status;
      };
      const reached = (state: string): Promise<Json> => until(look, ({ review }) => review.state === state);
      await reached('awaiting_plan');
      // Reviewers belong to the service.
      const reviewer = await reviewerOf(stack);
      const { submissionId } = receipt as { submissionId: string };
      await reviewer.attachPlan(submissionId, { path: 'contracts/Switch.sol', contract: 'Switch' });
      const { build, buildEvidenceRecorded, review } = await reached('built');
      expect([buildEvidenceRecorded, review.attempt]).toEqual([true, 1]);
      await reviewer.decide(submissionId, 'accept', 'It turns on and off.');
      const { decision, lastError } = await reached('accepted');
      expect([decision, lastError]).toMatchObject([
        {
          outcome: 'accept',
          reason: 'It turns on and off.',
          reviewerWallet: reviewer.wallet,
          artifactDigest: build.artifactDigest,
          hostManifestDigest: build.hostManifestDigest,
        },
        null,
      ]);
      const order = ['awaiting_plan', 'queued', 'running', 'built', 'accepted'];
      expect(states).toEqual(order.filter((state) => states.includes(state)));
      expect((await client.ask('GET', `${SUBMISSIONS}/${submissionId}`)).json).toEqual(receipt);
    },
    PATIENCE_MS,
  );

  it(
    `pages through ${MANY} submissions to their end, each once`,
    async () => {
      while (received.length < MANY) await create(draft({ family: `described-${received.length}` }));
      const { receipts, pages } = await client.list();
      expect(pages.reduce((sum, length) => sum + length, 0)).toBe(MANY);
      const byId = (all: readonly Json[]): Json[] =>
        [...all].sort((a, b) => (a['submissionId'] < b['submissionId'] ? -1 : 1));
      expect(byId(receipts)).toEqual(byId(received));
      for (const query of ['?limit=5', '?offset=5'])
        expect([query, (await client.ask('GET', `${SUBMISSIONS}${query}`)).status]).toEqual([query, 400]);
    },
    PATIENCE_MS,
  );

  it('sees only their own drafts, and needs their key', async () => {
    const [{ submissionId }] = received as [Json];
    expect(await stranger.list()).toEqual({ receipts: [], pages: [0] });
    for (const route of [`${SUBMISSIONS}/${submissionId}`, `${SUBMISSIONS}/${submissionId}/review`]) {
      const [foreign, open] = [await stranger.ask('GET', route), await client.ask('GET', route, { open: true })];
      expect([route, foreign.status, open.status]).toEqual([route, 404, 401]);
    }
    const taken = await stranger.ask('POST', SUBMISSIONS, { body: draft().bytes, key: newKey() });
    expect(taken.json['error'].findings.map(({ code }: Json) => code)).toContain('MODULE_AUTHOR_MISMATCH');
  });
});
