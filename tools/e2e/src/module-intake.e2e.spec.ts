import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { moduleReviewStatusSchema, type ModuleReviewCapabilities } from '@launch/contracts/modules';
import { connectTemporal } from '@launch/temporal';
import type { modulePackage } from '../../../libs/contracts/src/modules/module-package.fixture.js';
import { MODULE_FILES, moduleSubmission } from '../../../libs/contracts/src/modules/module-package.fixture.js';
import { freshKey } from './fixtures/launch-desk.fixture.js';
import { PATIENCE_MS } from './fixtures/launcher.fixture.js';
import { inDatabase } from './fixtures/stack-databases.fixture.js';
import { errorOf, launchApi, type Answer, type LaunchApi } from './launch-api.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const SUBMISSIONS = '/v1/modules/submissions';
const SCOPES = ['modules:submit', 'modules:read'];

let stack: StackAccess;
let author: `0x${string}`;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  author = `0x${randomBytes(20).toString('hex')}`;
  api = launchApi(stack.gateway, await stack.issueKey({ scopes: SCOPES, wallet: author }));
}, STARTS_WITHIN_MS);

type Submission = ReturnType<typeof moduleSubmission>;
const draft = (more: Parameters<typeof modulePackage>[1] = {}, files = MODULE_FILES): Submission =>
  moduleSubmission(files, { author, ...more });
const submit = (body: unknown, idempotencyKey = freshKey()): Promise<Answer> =>
  api.send('POST', SUBMISSIONS, { body: JSON.stringify(body), headers: { 'idempotency-key': idempotencyKey } });
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(200))
    if (await condition()) return;
  throw new Error('it did not come to be');
}
const idOf = ({ body }: Answer): string => (body as { submissionId: string }).submissionId;

describe('a module draft in the running product', () => {
  it('is received, replayed, read and listed as one receipt', async () => {
    const body = draft();
    const idempotencyKey = freshKey();
    const created = await submit(body, idempotencyKey);
    const replayed = await submit(body, idempotencyKey);
    expect([created.status, replayed.status]).toEqual([201, 200]);
    const read = await api.send('GET', `${SUBMISSIONS}/${idOf(created)}`);
    const list = await api.send('GET', SUBMISSIONS);
    expect([replayed.body, read.body, (list.body as { items: unknown[] }).items]).toEqual([
      created.body,
      created.body,
      [created.body],
    ]);
    expect(created.body).toMatchObject({
      requestDigest: `sha256:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`,
      status: 'draft_received',
    });
  });

  it('has a review once one is ready, which the Temporal server finds by its id', async () => {
    const created = await submit(draft({ family: 'reviewed' }));
    const submissionId = idOf(created);
    await until(async () => {
      const { body } = await api.send('GET', '/v1/modules/review-capabilities', { key: null });
      return (body as ModuleReviewCapabilities).reviewAvailable;
    });
    const { body } = await api.send('GET', '/v1/modules/capabilities', { key: null });
    expect(body).toMatchObject({ operations: { reviewStatus: true } });
    // The review itself reports it, not intake alone.
    await until(async () => {
      const [row] = await inDatabase<{ told: boolean }>(
        stack,
        'launch_gateway',
        'SELECT r.updated_at > s.received_at AS told FROM module_review r JOIN module_submission s USING (submission_id) WHERE submission_id = $1',
        [submissionId],
      );
      return row!.told;
    });
    const review = await api.send('GET', `${SUBMISSIONS}/${submissionId}/review`);
    expect(review.status).toBe(200);
    expect(moduleReviewStatusSchema.parse(review.body)).toMatchObject({
      submissionId,
      review: { state: 'awaiting_plan', revision: 0, attempt: 0, nextAction: 'await_review_plan' },
    });
    const { address, modulesNamespace: namespace } = stack.stack.temporal;
    const temporal = await connectTemporal({ address, namespace });
    try {
      const handle = temporal.client.workflow.getHandle(`review/${submissionId}`);
      const described = await handle.describe();
      expect([described.type, described.status.name]).toEqual(['reviewSubmission', 'RUNNING']);
      // These are the attributes that an operator reads.
      expect(await described.staticSummary()).toBe(`Review module ${submissionId}`);
      const details = await described.staticDetails();
      for (const said of [`](${stack.gateway}${SUBMISSIONS}/${submissionId}/review)`, `Author \`${author}\``])
        expect(details).toContain(said);
      const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(currentDetails).toContain('`awaiting_plan`');
      expect(currentDetails).toContain('a reviewer to attach a build plan');
    } finally {
      await temporal.close();
    }
    // The gateway's database was restored without the review's own, so no review exists for its row.
    const lost = randomUUID();
    for (const table of ['module_submission', 'module_review'])
      await inDatabase(
        stack,
        'launch_gateway',
        `INSERT INTO ${table} SELECT (jsonb_populate_record(whole, $2)).* FROM ${table} whole WHERE submission_id = $1`,
        [
          submissionId,
          JSON.stringify({
            submission_id: lost,
            package_id: `0x${randomBytes(32).toString('hex')}`,
            version: '9.9.9',
            received_at: '2026-01-01T00:00:00Z',
            updated_at: '2026-01-01T00:00:00Z',
            relay_after: 'infinity',
          }),
        ],
      );
    const fault = await api.send('GET', `${SUBMISSIONS}/${lost}/review`);
    expect([fault.status, errorOf(fault).code]).toEqual([503, 'MODULE_REVIEW_JOB_UNAVAILABLE']);
  });
});
