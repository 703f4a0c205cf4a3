import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { planCapabilitiesSchema, type PlanAvailability, type PlanOperation } from '@launch/contracts/plans';
import { createLogger } from '@launch/platform';
import { connectTemporalLazily, lastPolled, type TemporalClient, type TemporalTarget } from '@launch/temporal';
import { sharedTemporal, uniqueName } from '@launch/testing';
import {
  connectWorkers,
  createServiceWorker,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call } from '../../../fixtures/http.client.js';
import { PolledWorkers } from '../../../core/launches/launch-workers.js';

const logger = createLogger({ service: 'api-gateway', level: 'silent' });
/** Longer than an answer is cached, and than an absent worker counts as present. */
const LATER_MS = 120_000;

let target: TemporalTarget;
let connection: Awaited<ReturnType<typeof connectWorkers>>;
beforeAll(async () => {
  installTemporalRuntime(logger);
  target = await sharedTemporal();
  connection = await connectWorkers(target);
});
afterAll(() => connection?.close());

/** A gateway that asks this Temporal server for queues of its own. */
async function gatewayWith({ client }: TemporalClient): Promise<{ gateway: Harness; prefix: string }> {
  const prefix = uniqueName('polled');
  const gateway = await startHarness({
    launchWorkers: (clock) =>
      new PolledWorkers({
        lastPolled: (queue, withinMs) => lastPolled(client, prefix + queue, withinMs),
        clock,
        logger,
      }),
  });
  return { gateway, prefix };
}

async function operationsOf(gateway: Harness): Promise<Readonly<Record<PlanOperation, PlanAvailability>>> {
  const { json } = await call(`${gateway.url}/v4/chains/4663/custom-launch-capabilities`);
  return planCapabilitiesSchema.parse(json).operations;
}
const ofWorkers = ({ reasonCodes }: PlanAvailability): readonly string[] =>
  reasonCodes.filter((code) => /_AWAY$|^WORKERS_/.test(code));
const PROVIDED: PlanAvailability = { available: true, reasonCodes: [] };

describe('An operation of plans', () => {
  it('is available while its workers poll, and names the missing worker', async () => {
    const temporal = connectTemporalLazily(target);
    const { gateway, prefix } = await gatewayWith(temporal);
    const workers: ServiceWorker[] = [];
    const runs: Promise<void>[] = [];
    try {
      const without = await operationsOf(gateway);
      expect([without.list, without.get]).toEqual([PROVIDED, PROVIDED]);
      expect(without.stepProof).toEqual({
        available: false,
        reasonCodes: ['GATEWAY_WORKER_AWAY', 'FINALITY_WORKER_AWAY'],
      });
      expect(ofWorkers(without.preflight)).toEqual(['ADMISSION_WORKER_AWAY']);
      const all = ['GATEWAY_WORKER_AWAY', 'ADMISSION_WORKER_AWAY', 'PERMIT_CUSTODY_AWAY', 'FINALITY_WORKER_AWAY'];
      expect(ofWorkers(without.create)).toEqual(all);

      for (const queue of [TASK_QUEUES.gateway, TASK_QUEUES.finality]) {
        const worker = await createServiceWorker({
          connection,
          namespace: target.namespace,
          taskQueue: prefix + queue,
          service: queue,
          activities: { work: async () => undefined },
        });
        workers.push(worker);
        runs.push(worker.run());
      }
      // The answer is cached for a moment, and the first poll takes one.
      let some = await operationsOf(gateway);
      for (
        const end = Date.now() + 120_000;
        !some.stepProof.available && Date.now() < end;
        some = await operationsOf(gateway)
      )
        await sleep(100);
      expect([some.stepProof, ofWorkers(some.create)]).toEqual([
        PROVIDED,
        ['ADMISSION_WORKER_AWAY', 'PERMIT_CUSTODY_AWAY'],
      ]);

      await Promise.all(workers.map((worker) => worker.shutdown()));
      gateway.clock.shiftMs += LATER_MS;
      expect(ofWorkers((await operationsOf(gateway)).create)).toEqual(all);
    } finally {
      await Promise.all(workers.map((worker) => worker.shutdown()));
      await Promise.all(runs);
      await gateway.close();
      await temporal.close();
    }
  });

  it('reports its workers as unknown while Temporal does not respond', async () => {
    // It takes connections and never answers.
    const sockets: Socket[] = [];
    const silent = await new Promise<Server>((resolve) => {
      const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1', () => resolve(server));
    });
    const { port } = silent.address() as { port: number };
    const temporal = connectTemporalLazily({ ...target, address: `127.0.0.1:${port}` });
    const { gateway } = await gatewayWith(temporal);
    try {
      const { list, preflight, stepProof } = await operationsOf(gateway);
      expect([list, ofWorkers(preflight), stepProof]).toEqual([
        PROVIDED,
        ['WORKERS_NOT_KNOWN'],
        { available: false, reasonCodes: ['WORKERS_NOT_KNOWN'] },
      ]);
    } finally {
      await gateway.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
      await temporal.close();
    }
  });
});
