import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MODULE_FILES, moduleSubmission } from '../../../../libs/contracts/src/modules/module-package.fixture.js';
import { freshKey } from '../fixtures/launch-desk.fixture.js';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { inDatabase } from '../fixtures/stack-databases.fixture.js';
import { launchApi, type Answer } from '../launch-api.js';
import type { E2eStack } from '../stacks/own-stack.js';

const SUBMISSIONS = '/v1/modules/submissions';

/** The worst moments of a draft, with the first answer after each. */
const POINTS = [
  ['its bytes and its commit', 'gateway.module-bytes', 201],
  ['its commit and its answer', 'gateway.module-commit', 200],
] as const;

/** Module drafts whose gateway is killed. The chapter needs a stack whose gateway no other suite uses at the same time. */
export function moduleDraftsInTrouble(stackOf: () => E2eStack): void {
  describe('a module draft', () => {
    it.each(POINTS)(
      'exists once, with one receipt and its review started, when the gateway is killed between %s',
      async (_when, point, status) => {
        const stack = stackOf();
        const author = `0x${randomBytes(20).toString('hex')}` as const;
        const key = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'], wallet: author });
        const api = launchApi(stack.gateway, key);
        const body = JSON.stringify(moduleSubmission(MODULE_FILES, { author }));
        const headers = { 'idempotency-key': freshKey() };
        const submit = (): Promise<Answer> => api.send('POST', SUBMISSIONS, { body, headers });

        const { fired } = await stack.killAt('api-gateway', point);
        await expect(submit()).rejects.toThrow();
        await fired();
        await stack.services.up('api-gateway');
        // Before the next request: all of the draft, or nothing.
        const before = (await api.send('GET', SUBMISSIONS)).body as { items: unknown[] };
        expect(before.items).toHaveLength(status === 200 ? 1 : 0);

        const [first, again] = [await submit(), await submit()];
        expect([first.status, again.status]).toEqual([status, 200]);
        const receipt = first.body as { submissionId: string };
        expect(receipt).toMatchObject({ requestDigest: `sha256:${createHash('sha256').update(body).digest('hex')}` });
        const read = await api.send('GET', `${SUBMISSIONS}/${receipt.submissionId}`);
        const { items } = (await api.send('GET', SUBMISSIONS)).body as { items: unknown[] };
        expect([again.body, read.body, items]).toEqual([receipt, receipt, [receipt]]);
        if (status === 200) expect(before.items).toEqual([receipt]);
        await reviewStarted(stack, receipt.submissionId);
      },
      2 * PATIENCE_MS,
    );
  });
}

async function reviewStarted(stack: E2eStack, submissionId: string): Promise<void> {
  const asked = 'SELECT review_started_at IS NOT NULL AS started FROM module_submission WHERE submission_id = $1';
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    const [row] = await inDatabase<{ started: boolean }>(stack, 'launch_gateway', asked, [submissionId]);
    if (row?.started === true) return;
  }
  throw new Error('the review was not started');
}
