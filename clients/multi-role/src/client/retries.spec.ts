import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json, type Answering } from '../fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import { fixtureError, fixtureLaunch } from '../fixtures/launch-answers.fixture.js';
import { runClient, type ClientRun } from './client.cli.js';

const REQUEST = Buffer.from('{"any":"bytes"}');
const root = temporaryFolder();
const request = join(root.path, 'request.json');
const server = new AnsweringServer();
let origin: string;
const client = (...args: string[]): Promise<ClientRun> =>
  runClient(args, { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: 'sk-live-90ac2e' });

beforeAll(async () => {
  origin = await server.start();
  writeFileSync(request, REQUEST);
});
beforeEach(() => {
  server.seen.length = 0;
});
afterAll(async () => {
  await server.stop();
  root.remove();
});

describe('--retry', () => {
  const busy = (retryable: boolean) =>
    json(503, fixtureError('MULTI_ROLE_ADMISSION_PENDING', { retryable, retryAfterSeconds: 0 }));
  /** Answers with these in order, and with the last one again. */
  const answering = (...answers: readonly Answering[]): void => {
    let left = answers;
    server.answer = (response, seen) => {
      const [next, ...more] = left;
      if (more.length > 0) left = more;
      next!(response, seen);
    };
  };

  it('sends the same bytes under the same key again after a retryable refusal', async () => {
    answering(
      busy(true),
      json(429, fixtureError('RATE_LIMITED', { retryAfterSeconds: 0 })),
      json(202, fixtureLaunch(REQUEST)),
    );
    expect(await client('create', '--request', request, '--retry')).toMatchObject({ exitCode: 0 });
    expect(server.seen).toHaveLength(3);
    for (const { body, headers } of server.seen) {
      expect(body.equals(REQUEST)).toBe(true);
      expect(headers['idempotency-key']).toBe(fixtureLaunch(REQUEST).idempotencyKey);
    }
  });

  it('repeats at most five times, and no other refusal; without it nothing is repeated', async () => {
    answering(busy(true));
    expect((await client('create', '--request', request, '--retry')).exitCode).toBe(8);
    expect(server.seen).toHaveLength(6);
    answering(busy(false));
    expect((await client('list', '--retry')).exitCode).toBe(8);
    answering(busy(true));
    expect((await client('list')).exitCode).toBe(8);
    expect(server.seen).toHaveLength(8);
  });

  it('reports that a launch may exist if an earlier attempt may have reserved one', async () => {
    answering(busy(true), json(401, fixtureError('UNAUTHENTICATED')));
    const run = await client('create', '--request', request, '--retry');
    expect([run.exitCode, JSON.parse(run.stderr.trim().split('\n').at(-1)!)]).toMatchObject([
      4,
      { submissionMayExist: true },
    ]);
  });
});
