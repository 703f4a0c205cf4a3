import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { inputsOf } from '@launch/contracts/activities';
import { createLogger, createMetrics } from '@launch/platform';
import { z } from 'zod';
import { BackgroundWorker } from '../start/background-worker.js';
import { runWorker } from '../start/run-worker.js';
import { Activities, type ActivityEdge, type ActivityWork } from './activities.js';
import { reportTrouble } from './step-trouble.js';
import type { StepTrouble } from './activity-step.js';

interface Probed {
  sign(input: { readonly launchId: string; readonly key: string }, times: number): Promise<string>;
  observe(): Promise<string>;
  price(launchId: string, reading?: string): Promise<string>;
}
const inputs = inputsOf<Probed>()({
  sign: z.tuple([z.strictObject({ launchId: z.string().max(8), key: z.string().regex(/^k[0-9]+$/) }), z.number()]),
  observe: z.tuple([]),
  price: z.tuple([z.string(), z.string().optional()]),
});
const work: ActivityWork<Probed> = {
  sign: async ({ launchId }, times, { signal }) => `${launchId} ${times} ${signal.aborted}`,
  observe: () => Promise.reject(new TypeError('of launch 7')),
  price: async (launchId, reading, { signal }) => `${launchId} ${reading ?? 'none'} ${signal.aborted}`,
};
const SECRET = 'hunter2';

const logger = new DefaultLogger('ERROR', () => undefined);
const environment = (): MockActivityEnvironment => new MockActivityEnvironment(undefined, { logger });

function probed(more: Partial<ActivityEdge> = {}) {
  const troubles: StepTrouble[] = [];
  const edge: ActivityEdge = {
    failures: { outage: 'PROBE_AWAY', fault: 'PROBE_FAILED' },
    onTrouble: (trouble) => void troubles.push(trouble),
    ...more,
  };
  const { functions } = new Activities<Probed>(inputs, work, edge);
  const call = (name: keyof Probed, ...args: unknown[]): Promise<unknown> =>
    environment().run(functions[name] as (...some: unknown[]) => Promise<unknown>, ...args);
  return { call, troubles };
}

describe('an activity', () => {
  it('receives its parsed arguments and its cancellation signal', async () => {
    expect(await probed().call('sign', { launchId: 'a', key: 'k1' }, 3)).toBe('a 3 false');
  });

  it('receives its call after an omitted argument', async () => {
    expect(await probed().call('price', 'a')).toBe('a none false');
    expect(await probed().call('price', 'a', 'r')).toBe('a r false');
  });

  it.each([
    ['a member of another form', [{ launchId: 'a', key: SECRET }, 3], '/0/key'],
    ['a member of another type', [{ launchId: 7, key: 'k1' }, 3], '/0/launchId'],
    ['no such member', [{ key: 'k1' }, 3], '/0/launchId'],
    ['a member more', [{ launchId: 'a', key: 'k1', password: SECRET }, 3], '/0/password'],
    ['another second argument', [{ launchId: 'a', key: 'k1' }, SECRET], '/1'],
    ['an argument less', [{ launchId: 'a', key: 'k1' }], ''],
    ['an argument more', [{ launchId: 'a', key: 'k1' }, 3, SECRET], ''],
    ['no argument', [], ''],
    ['null', [null, 3], '/0'],
  ])('refuses %s permanently, and names the field without its value', async (_name, args, field) => {
    const { call, troubles } = probed();
    const failure = (await call('sign', ...args).catch((thrown: unknown) => thrown)) as Error;
    expect(failure).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
    expect(failure.message).toMatch(new RegExp(`^INPUT_INVALID sign ${field}(: |/\\d: )`));
    expect(failure.cause).toBeUndefined();
    for (const said of [failure, troubles]) expect(`${JSON.stringify(said)} ${failure.message}`).not.toContain(SECRET);
    expect(String(troubles[0]?.err)).not.toContain(SECRET);
    expect(troubles).toMatchObject([{ step: 'unknown', isOutage: false, attempt: 1 }]);
  });

  it('An activity that throws fails with its service’s type, which distinguishes an outage from a fault.', async () => {
    await expect(probed().call('observe')).rejects.toMatchObject({
      type: 'PROBE_FAILED',
      message: 'PROBE_FAILED: TypeError',
      nonRetryable: true,
    });
    const away = { ...work, observe: () => Promise.reject(Object.assign(new Error('at h'), { code: 'ECONNREFUSED' })) };
    const { functions } = new Activities<Probed>(inputs, away, {
      failures: { outage: 'PROBE_AWAY', fault: 'PROBE_FAILED' },
      onTrouble: () => undefined,
    });
    await expect(environment().run(functions.observe)).rejects.toMatchObject({
      type: 'PROBE_AWAY',
      nonRetryable: false,
    });
  });
});

describe('a worker', () => {
  const edge: ActivityEdge = { failures: { outage: 'A', fault: 'B' }, onTrouble: () => undefined };

  it('does not start with an activity without a schema, or a schema without an activity', () => {
    const extra = { ...work, erase: async () => undefined };
    expect(() => new Activities<Probed>(inputs, extra, edge)).toThrow('activities: erase has no schema');
    const less = { sign: work.sign } as typeof work;
    expect(() => new Activities<Probed>(inputs, less, edge)).toThrow('activities: observe has no function');
  });

  it('does not compile with functions without schemas', () => {
    const options = {
      taskQueue: 'q',
      service: 's',
      maxConcurrentActivities: 1,
      logger: createLogger({ service: 's' }),
    };
    const functions = { observe: async () => 'seen' };
    // The type check of the tests fails if one of these compiles.
    const beside = () =>
      // @ts-expect-error: `functions` are no Activities.
      new BackgroundWorker({ ...options, target: { address: 'h:1', namespace: 'n' }, activities: functions });
    const alone = () =>
      runWorker({
        ...options,
        loadConfig: () => {
          throw new Error('never called');
        },
        // @ts-expect-error: `functions` are no Activities.
        compose: () => ({ activities: functions, maxConcurrentActivities: 1 }),
      });
    expect([beside, alone]).toHaveLength(2);
  });
});

it('A failed step is counted by its code, and its log reports whether it is an outage.', async () => {
  const lines: string[] = [];
  const metrics = createMetrics('spec');
  const report = reportTrouble({ warn: (_fields, message) => void lines.push(message) }, metrics);
  const trouble = { step: 's', workflowId: 'w', attempt: 1, err: new Error('x') };
  report({ ...trouble, code: 'AWAY', isOutage: true });
  report({ ...trouble, code: 'BROKEN', isOutage: false });
  expect(lines).toEqual(['a step waits for a part that does not answer', 'a step failed']);
  const counted = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('launch_step_failures_total'));
  expect(counted).toEqual([
    'launch_step_failures_total{step="s",code="AWAY",service="spec"} 1',
    'launch_step_failures_total{step="s",code="BROKEN",service="spec"} 1',
  ]);
});
