import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sentLaunch, type SentLaunch } from '@launch/client-core/binding';
import { customLaunchFinding, type CustomLaunchCode } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import { planErrorsSchema, planRequestSchema, type PlanResourceV12 } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import type { PlanStatus, StepStatus } from '@launch/contracts/states';
import { DISCOVERY_EXAMPLE } from '../../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { PLAN_EXAMPLE } from '../../../../apps/api-gateway/src/products/plans/http/plans.examples.js';
import { reportExample } from '../../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import { FINAL, planPreflight, waitingPlan } from '../../../core/src/fixtures/custom-launch-answers.fixture.js';
import { AnsweringServer, json, type Answering } from '../../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../../multi-role/src/fixtures/bundle.fixture.js';
import { customLaunchConfig, customLaunchContext } from '../../../multi-role/src/fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../../../multi-role/src/fixtures/inventory.fixture.js';
import { launchIn, type Ran } from '../fixtures/launch-run.fixture.js';
import { planText } from './plan.js';

const KEY = 'sentinel-key';
const PLANS = '/v4/chains/4663/custom-launch-plans';
const EXAMPLE = PLAN_EXAMPLE as PlanResourceV12;
type Step = PlanResourceV12['steps'][number];
const { planId } = EXAMPLE;
const TRANSACTION = `0x${'a'.repeat(64)}` as const;

const folder = temporaryFolder();
const service = new AnsweringServer();
const context = customLaunchContext();
const [configFile, planFile, launchFile] = ['config.json', 'plan.json', 'launch.json'].map((name) =>
  join(folder.path, name),
) as [string, string, string];
/** The plan, as responses repeat it. */
let sentPlan: SentLaunch;
let launch: (...argv: readonly string[]) => Promise<Ran>;

/** Serves answers of plan routes in order, repeating the last one. */
function serving(...answers: readonly Answering[]): void {
  const published = { contextHash: canonicalKeccak(context), document: context };
  let left = answers;
  service.answer = (response, request) => {
    if (request.url.startsWith('/.well-known/')) return json(200, DISCOVERY_EXAMPLE)(response, request);
    if (request.url.endsWith('/capabilities'))
      return json(200, { ...reportExample('capabilities'), context: published })(response, request);
    const [next, ...more] = left;
    if (more.length > 0) left = more;
    next!(response, request);
  };
  service.seen.length = 0;
}
/** Returns the example with these statuses. */
const plan = (status: PlanStatus, steps: readonly StepStatus[] = ['awaiting_signature', 'blocked']): PlanResourceV12 =>
  withSteps(status, (step, index) => ({
    ...step,
    status: steps[index]!,
    finality: steps[index] === 'finalized' ? FINAL : step.finality,
  }));

const INCLUDED: readonly StepStatus[] = ['included', 'ethereum_posted', 'finalized'];
/** Returns the example with these steps, and the progress that they make. */
function withSteps(status: PlanStatus, change: (step: Step, index: number) => Step): PlanResourceV12 {
  const steps = EXAMPLE.steps.map(change);
  const nextStepId = steps.find((step) => !INCLUDED.includes(step.status))?.stepId ?? null;
  const completedSteps = steps.filter((step) => step.status === 'finalized').length;
  return { ...EXAMPLE, status, steps, progress: { completedSteps, totalSteps: steps.length, nextStepId } };
}
const refused = (status: 401 | 422, code: CustomLaunchCode): Answering =>
  json(
    status,
    planErrorsSchema.parse({
      schemaVersion: 'service.custom-launch-plan-errors.v1',
      requestId: `req_${'0'.repeat(26)}`,
      status,
      retryable: false,
      retryAfterSeconds: null,
      statusUrl: null,
      errors: [customLaunchFinding(code, '')],
      truncated: false,
    }),
  );

beforeAll(async () => {
  const environment = { SERVICE_API_BASE_URL: await service.start(), SERVICE_API_KEY: KEY };
  launch = launchIn(environment, { material: inventoryMaterial(), watchMs: 1 });
  writeFileSync(configFile, JSON.stringify(customLaunchConfig(context)));
  serving();
  for (const more of [
    ['--output', launchFile],
    ['--output', planFile, '--plan', 'sequential'],
  ])
    expect((await launch('pack', '--config', configFile, ...more)).exitCode).toBe(0);
  const bytes = readFileSync(planFile);
  const request = planRequestSchema.parse(JSON.parse(bytes.toString()));
  sentPlan = sentLaunch(request, {
    requestSha256: sha256Digest(bytes),
    requestHash: keccak256Hex(bytes),
    planDigest: sha256Digest(bytes),
    router: context.chainBindings.router,
    stepIds: [...request.graphBundle.components.map(({ componentId }) => `deploy-${componentId}`), 'register'],
  });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe('launch plan', () => {
  it('is packed from the same config, and differs only in its predecessor', async () => {
    const pack = (...more: string[]) =>
      launch('pack', '--config', configFile, '--output', join(folder.path, 'atomic.json'), ...more);
    const predecessor = `${planId}/${EXAMPLE.planDigest}`;
    expect((await pack('--predecessor', predecessor)).exitCode).toBe(2);
    expect((await pack('--plan', 'atomic', '--predecessor', planId)).exitCode).toBe(2);
    const { exitCode, result } = await pack('--plan', 'atomic', '--predecessor', predecessor);
    expect([exitCode, result.resource.stepIds]).toEqual([0, ['atomic-launch']]);
    expect(JSON.parse(readFileSync(join(folder.path, 'atomic.json'), 'utf8')).predecessor).toEqual({
      planId,
      planDigest: EXAMPLE.planDigest,
    });
  });

  it('sends the exact bytes in version 1.2 with preflight and submit, and no others', async () => {
    const bytes = readFileSync(planFile);
    serving(json(200, planPreflight(sentPlan)));
    const preflight = await launch('plan', 'preflight', planFile, '--config', configFile);
    expect(preflight).toMatchObject({
      exitCode: 0,
      result: { command: 'plan preflight', httpStatus: 200 },
    });
    const created = waitingPlan(sentPlan);
    serving(json(202, created), json(200, created, { 'idempotency-replayed': 'true' }));
    const submit = () => launch('plan', 'submit', planFile, '--config', configFile);
    expect(await submit()).toMatchObject({ exitCode: 0, result: { httpStatus: 202, replayed: false } });
    const { url, headers, body } = service.seen.at(-1)!;
    expect([
      url,
      headers['idempotency-key'],
      headers['service-launch-response-version'],
      headers.authorization,
    ]).toEqual([PLANS, `plan-v1-${sha256Digest(bytes).slice(7)}`, '1.2', `Bearer ${KEY}`]);
    expect(body.equals(bytes)).toBe(true);
    expect(service.seen.filter((one) => one.headers.authorization !== undefined).map((one) => one.url)).toEqual([
      PLANS,
    ]);
    expect(await submit()).toMatchObject({ exitCode: 0, result: { httpStatus: 200, replayed: true } });
    expect((await launch('plan', 'submit', launchFile, '--config', configFile)).exitCode).toBe(3);
  });

  it('waits with status for a step to sign, for its inclusion and for the end', async () => {
    const status = (...more: string[]) => launch('plan', 'status', planId, '--chain-id', '4663', ...more);
    const output = join(folder.path, 'step.json');
    const pending = withSteps('admission_pending', (step) => ({ ...step, status: 'blocked', authorization: null }));
    serving(json(200, pending), json(200, pending), json(200, plan('awaiting_wallet')));
    const signature = await status('--watch', '--until', 'signature', '--output', output);
    expect([signature.exitCode, signature.progress.length]).toEqual([0, 1]);
    const { stepId, authorization } = EXAMPLE.steps[0]!;
    expect(readFileSync(output).equals(canonicalizeJson({ stepId, authorization } as never))).toBe(true);

    serving(json(200, plan('awaiting_wallet')), json(200, plan('in_progress', ['included', 'awaiting_signature'])));
    expect((await status('--watch', '--until', 'included', '--step', 'deploy-token')).exitCode).toBe(0);
    serving(
      json(200, plan('finalizing', ['included', 'included'])),
      json(200, plan('finalized', ['finalized', 'finalized'])),
    );
    expect((await status('--watch')).exitCode).toBe(0);
    serving(json(200, plan('expired', ['included', 'expired'])));
    expect((await status('--watch', '--until', 'finalized')).exitCode).toBe(3);
  });

  it('prints the pages of the website, the wallet page with the digest of the request that the program has', () => {
    const { launchUrl, walletUrl, requestSha256 } = EXAMPLE;
    const shown = (known: object) => planText(EXAMPLE as never, Date.now(), known);
    expect(shown({})).toMatch(new RegExp(`^ *page +${launchUrl}\n *wallet page +${walletUrl}$`, 'm'));
    expect(shown({ request: { requestSha256 } })).toMatch(
      new RegExp(`^ *wallet page +${walletUrl}#request=${requestSha256.slice('sha256:'.length)}$`, 'm'),
    );
  });

  it('prints with status, in JSON and in text, when a step of a watched plan is expected to continue', async () => {
    const expected = withSteps('finalizing', (step, index) => ({
      ...step,
      status: 'included',
      finality: { ...step.finality, estimatedNextStageAt: index === 0 ? '2100-01-01T00:00:00.000Z' : null },
    }));
    serving(json(200, expected), json(200, plan('finalized', ['finalized', 'finalized'])));
    const [first, second] = EXAMPLE.steps.map(({ stepId }) => stepId);
    const next = String.raw`next stage 2100-01-01 00:00:00 UTC \(in \d+ h\)`;
    const { progress } = await launch('plan', 'status', planId, '--watch');
    expect(progress).toEqual([
      expect.stringMatching(new RegExp(`^finalizing: ${first} included, ${next}, ${second} included$`)),
    ]);
    const lines = planText(expected as never, Date.now()).split('\n');
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ *${first} +included.*, ${next}$`)));
  });

  it.each<[string, readonly string[], Answering, number]>([
    ['an unknown plan', [], refused(422, 'PLAN_NOT_FOUND'), 5],
    ['an unknown key', [], refused(401, 'UNAUTHENTICATED'), 4],
    ['a step that the plan lacks', ['--step', 'deploy-none'], json(200, EXAMPLE), 2],
    [
      'nothing to sign',
      ['--output', join(folder.path, 'none.json')],
      json(200, plan('finalized', ['finalized', 'finalized'])),
      3,
    ],
  ])('ends the status of %s with its documented code, and keeps no file', async (_what, more, answer, exitCode) => {
    serving(answer);
    expect((await launch('plan', 'status', planId, ...more)).exitCode).toBe(exitCode);
    expect(existsSync(join(folder.path, 'none.json'))).toBe(false);
  });

  it('names a transaction with prove under one key each time', async () => {
    const named = withSteps('awaiting_wallet', (step, index) => ({
      ...step,
      transactions: index === 0 ? [{ transactionHash: TRANSACTION, source: 'hint', status: 'unseen' }] : [],
    }));
    serving(json(202, named), json(200, named));
    const prove = (hash: string) => launch('plan', 'prove', planId, '--step', 'deploy-token', '--transaction', hash);
    const keys: unknown[] = [];
    for (const httpStatus of [202, 200]) {
      expect(await prove(TRANSACTION)).toMatchObject({ exitCode: 0, result: { httpStatus } });
      const { url, headers, body } = service.seen.at(-1)!;
      keys.push(headers['idempotency-key']);
      expect([url, JSON.parse(body.toString())]).toEqual([
        `${PLANS}/${planId}/steps/deploy-token/proofs`,
        { schemaVersion: 'service.custom-launch-plan-step-proof.v1', transactionHash: TRANSACTION },
      ]);
    }
    expect(new Set(keys).size).toBe(1);
    expect((await prove('0xAA')).exitCode).toBe(2);
  });
});
