import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchResource } from '@launch/contracts/custom-launch';
import type { PlanResourceV12 } from '@launch/contracts/plans';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { finalizedLaunch, waitingLaunch, waitingPlan } from '../../core/src/fixtures/custom-launch-answers.fixture.js';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import { launchIn, type Ran } from './fixtures/launch-run.fixture.js';
import { packedRequests } from './fixtures/packed-requests.fixture.js';

const folder = temporaryFolder();
const service = new AnsweringServer();
let launch: (...argv: readonly string[]) => Promise<Ran>;
let running: Answering;
let ended: Answering;
let waiting: CustomLaunchResource;
let plan: PlanResourceV12;
let ids: { readonly launchId: string; readonly planId: string };

/** Serves discovery, and then these answers in order, repeating the last one. */
function serving(...answers: readonly Answering[]): void {
  let left = answers;
  service.seen.length = 0;
  service.answer = (response, request) => {
    if (request.url.startsWith('/.well-known/')) return json(200, DISCOVERY_EXAMPLE)(response, request);
    const [next, ...more] = left;
    if (more.length > 0) left = more;
    next!(response, request);
  };
}
const page =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Not here</h1>');
const dropped: Answering = (response) => void response.destroy();

beforeAll(async () => {
  const requests = await packedRequests(folder.path);
  waiting = waitingLaunch(requests.launch.sent);
  const final = finalizedLaunch(requests.launch.sent);
  plan = waitingPlan(requests.plan.sent);
  ids = { launchId: waiting.launchId, planId: plan.planId };
  [running, ended] = [json(200, { ...waiting, status: 'submitted' }), json(200, final)];
  const environment = { SERVICE_API_BASE_URL: await service.start(), SERVICE_API_KEY: 'sentinel-key' };
  launch = launchIn(environment, { watchMs: 1 });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

const watch = (...more: string[]): Promise<Ran> => launch('status', ids.launchId, '--watch', ...more);

describe('launch status --watch', () => {
  it('prints one line for each change, and none for an estimate that moves', async () => {
    const at = (estimatedNextStageAt: string): Answering =>
      json(200, { ...waiting, status: 'submitted', finality: { ...waiting.finality, estimatedNextStageAt } });
    serving(at('2100-01-01T00:00:00.000Z'), at('2100-01-01T01:00:00.000Z'), at('2100-01-01T05:00:00.000Z'), ended);
    const { exitCode, progress } = await watch();
    expect([exitCode, progress]).toEqual([0, [expect.stringMatching(/^submitted, next stage 2100-01-01 00:00:00/)]]);
  });

  it('survives dropped connections and the pages of proxies, and reports when the service is back', async () => {
    serving(running, dropped, page(502), page(503), page(504), running, ended);
    const { exitCode, progress } = await watch();
    expect([exitCode, progress]).toEqual([
      0,
      [
        'submitted',
        expect.stringMatching(/^SERVICE_UNREACHABLE: .*; reading again for 300 s$/),
        'the service answers again',
      ],
    ]);
    serving((response, request) => {
      serving(running, ended);
      dropped(response, request);
    });
    expect((await watch()).exitCode).toBe(0);
  });

  it('waits as long as Retry-After says, within --wait-max', async () => {
    serving(running, page(503, { 'retry-after': '1' }), ended);
    const begun = performance.now();
    expect((await watch()).exitCode).toBe(0);
    expect(performance.now() - begun).toBeGreaterThan(950);
    serving(running, page(503, { 'retry-after': '60' }));
    expect((await watch('--wait-max', '30')).exitCode).toBe(8);
  });

  it.each<[string, Answering, number]>([
    ['proxies', page(503), 8],
    ['dropped connections', dropped, 9],
  ])('ends after --wait-max of %s', async (_what, answer, exitCode) => {
    serving(running, answer);
    expect((await watch('--wait-max', '1')).exitCode).toBe(exitCode);
    expect(service.seen.length).toBeGreaterThan(4);
    serving(answer);
    expect((await watch('--wait-max', '0')).exitCode).toBe(exitCode);
  });

  it('ends on a refusal and on an answer about another launch', async () => {
    const other = ids.launchId.replace(/.$/, '0');
    serving(running);
    expect(await launch('status', other, '--watch')).toMatchObject({
      exitCode: 10,
      failure: { error: { code: 'LAUNCH_CLI_ANSWER_MISMATCH', findings: [{ path: '/launchId' }] } },
    });
    expect((await launch('status', ids.launchId, '--wait-max', '5')).exitCode).toBe(2);
    expect((await watch('--wait-max', '1.5')).exitCode).toBe(2);
  });
});

describe('launch plan status --watch', () => {
  it('survives an outage, and prints one line for each change', async () => {
    const later = structuredClone(plan);
    later.steps[1]!.finality.estimatedNextStageAt = '2100-01-01T00:00:00.000Z';
    serving(
      json(200, plan),
      json(200, later),
      dropped,
      page(502),
      json(200, later),
      json(200, { ...later, status: 'expired' }),
    );
    const { exitCode, progress } = await launch('plan', 'status', ids.planId, '--watch');
    expect([exitCode, progress.length]).toEqual([3, 3]);
    serving(json(200, plan), page(504));
    expect((await launch('plan', 'status', ids.planId, '--watch', '--wait-max', '0')).exitCode).toBe(8);
  });
});
