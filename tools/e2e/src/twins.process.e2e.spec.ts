import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { LaunchResource } from '@launch/contracts/multi-role';
import type { ServiceName } from '@launch/start';
import { MODULE_FILES, moduleSubmission } from '../../../libs/contracts/src/modules/module-package.fixture.js';
import { ChainFaults } from './fixtures/chain-faults.fixture.js';
import {
  freshSource,
  Launcher,
  PATIENCE_MS,
  type HandedOff,
  type PreparedRequest,
} from './fixtures/launcher.fixture.js';
import { freshKey } from './fixtures/launch-desk.fixture.js';
import { openHistories, permitTotals, recordsOf } from './fixtures/stack-records.fixture.js';
import { errorOf } from './launch-api.js';
import { startE2eStack, type E2eStack, type Kill } from './stacks/own-stack.js';

/**
 * Two processes of every service use the same databases and task queues. The first of each pair to reach its worst
 * moment is killed there; the other and the restarted one continue.
 */
const POINTS = {
  'api-gateway': 'gateway.after-commit',
  'admission-worker': 'admission.compile',
  'permit-custody': 'custody.after-digest',
  'finality-worker': 'finality.after-evidence',
} as const;
const TEST_MS = 2 * PATIENCE_MS;

let stack: E2eStack;
let first: Launcher;
let second: Launcher;
const kills = new Map<string, Kill>();
const launches: HandedOff[] = [];

beforeAll(async () => {
  stack = await startE2eStack({ twins: true });
  const armed = await Promise.all(
    Object.entries(POINTS).map(([service, point]) => stack.killAt(service as ServiceName, point)),
  );
  Object.keys(POINTS).forEach((service, at) => kills.set(service, armed[at]!));
  const key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  first = await Launcher.withKey(stack, key);
  second = await Launcher.withKey({ ...stack, gateway: stack.services.url('api-gateway-2') as string }, key);
}, 2 * PATIENCE_MS);
afterAll(() => stack?.stop());

it(
  'The product loses nothing and signs nothing twice when one of each pair is killed under way.',
  async () => {
    const prepared: PreparedRequest[] = [];
    for (const change of [freshSource, undefined, freshSource, undefined])
      prepared.push(await first.prepare(change === undefined ? {} : { change }));
    // The same bytes and key reach both gateways at once: one of them reserves the request, and one is killed by it.
    await Promise.allSettled(
      prepared.flatMap((one) => [
        first.api.create(one.bytes, one.idempotencyKey),
        second.api.create(one.bytes, one.idempotencyKey),
      ]),
    );
    for (const one of prepared) {
      const answers = await Promise.all([first.replay(one), second.replay(one)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [left, right] = answers.map(({ body }) => body as LaunchResource);
      expect(left?.launchId).toBe(right?.launchId);
      launches.push(await second.handedOff(left?.launchId as string));
    }
    for (const service of ['api-gateway', 'admission-worker', 'permit-custody']) await kills.get(service)!.fired();
    for (const {
      launchId,
      wallet: { permitDigest },
    } of launches) {
      expect(await recordsOf(stack, launchId)).toMatchObject({
        launches: [{ permitDigest }],
        decisions: [{ kind: 'digest', permitDigest }],
        signatures: [{ permitDigest }],
        handoffs: [{ permitDigest }],
      });
    }
    expect(await permitTotals(stack)).toEqual({ digests: prepared.length, signatures: prepared.length });
  },
  TEST_MS,
);

it(
  'Every launch is finalized once when one of two finality workers is killed between its evidence and its record.',
  async () => {
    const chains = new ChainFaults(stack);
    await chains.holdPosting();
    for (const launch of launches) await first.send(launch);
    for (const { launchId } of launches)
      await first.api.until(launchId, ({ finality }) => finality.state === 'included', PATIENCE_MS);
    await chains.resumePosting();
    for (const { launchId, onchainLaunchId } of launches) {
      await second.finalized(launchId);
      expect((await first.published(onchainLaunchId)).body).toMatchObject({ apiLaunchId: launchId });
    }
    await kills.get('finality-worker')!.fired();
    const histories = await openHistories(stack);
    const stories = await Promise.all(launches.map(({ launchId }) => histories.observation(launchId)));
    await histories.close();
    for (const story of stories)
      expect(story).toMatchObject({
        status: 'COMPLETED',
        result: 'finalized',
        completed: { buildFinalizedRecord: 1, recordFinalized: 1 },
      });
    expect(stories.filter(({ repeated }) => repeated.includes('observe')).length).toBeGreaterThanOrEqual(1);
    const feed = (await first.api.send('GET', 'finalized', { key: null })).body as {
      items: readonly { apiLaunchId: string }[];
    };
    expect(feed.items.map(({ apiLaunchId }) => apiLaunchId).sort()).toEqual(
      launches.map(({ launchId }) => launchId).sort(),
    );
  },
  TEST_MS,
);

it('A module draft is kept without a review worker, and no review is reported as ready.', async () => {
  const author = `0x${randomBytes(20).toString('hex')}` as const;
  const key = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'], wallet: author });
  const body = JSON.stringify(moduleSubmission(MODULE_FILES, { author }));
  const headers = { 'idempotency-key': freshKey() };
  const answers = await Promise.all(
    [first, second].map(({ api }) => api.send('POST', '/v1/modules/submissions', { key, body, headers })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
  const [submissionId, ...others] = answers.map(
    ({ body: receipt }) => (receipt as { submissionId: string }).submissionId,
  );
  expect(others).toEqual([submissionId]);
  for (const { api } of [first, second]) {
    const review = await api.send('GET', `/v1/modules/submissions/${submissionId}/review`, { key });
    expect([review.status, errorOf(review).code]).toEqual([503, 'MODULE_REVIEW_UNAVAILABLE']);
  }
});
