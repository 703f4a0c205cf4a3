import path from 'node:path';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared, itemsPerSecond } from '../measure/sampling.js';
import { packFresh, renonced } from '../stack/reference-requests.js';
import { bareCreates } from './bare-postgres.js';

const ROUNDS = 3;
/** Requests a round, by concurrency: a few seconds each on two slow cores. */
const REQUESTS: Readonly<Record<number, number>> = { 1: 24, 16: 64 };

/**
 * Durable creates through the gateway (HTTP, credential, strict JSON, schema, meaning, quotas, blob and rows fsynced, the
 * workflow's start) beside the bare rows, and beside the bare rows and bytes. The admission worker rests meanwhile, so
 * that what is measured is the reservation and not the admissions it leads to.
 */
async function measureCreates(world: BenchWorld, concurrency: number): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { request } = await packFresh(stack.context, stack.controller);
  await stack.running.services.kill('admission-worker', 'SIGTERM', { hold: true });
  const count = REQUESTS[concurrency] ?? concurrency;
  const bare = bareCreates({
    databaseUrl: stack.gatewayDatabaseUrl,
    folder: path.join(stack.dir, 'bare-blobs'),
    connections: concurrency,
    request,
    contextText: canonicalJsonText(request.context),
  });
  try {
    const warmUp = renonced(request, concurrency);
    world.say(`${count} requests of ${warmUp[0]?.byteLength ?? 0} bytes, ${concurrency} at a time, ${ROUNDS} rounds`);
    await itemsPerSecond(warmUp, concurrency, async (bytes) => void (await stack.gateway.create(bytes)));
    await itemsPerSecond(warmUp, concurrency, bare.rowsAndBytes);
    const ours: number[] = [];
    const rows: number[] = [];
    const rowsAndBytes: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bodies = renonced(request, count);
      ours.push(await itemsPerSecond(bodies, concurrency, async (bytes) => void (await stack.gateway.create(bytes))));
      rows.push(await itemsPerSecond(bodies, concurrency, bare.rows));
      rowsAndBytes.push(await itemsPerSecond(bodies, concurrency, bare.rowsAndBytes));
    }
    const about = { unit: 'creates/s', better: 'higher', summary: 'median' } as const;
    return [
      compared(
        { ...about, name: `creates.c${concurrency}.rows`, peerName: 'bare pg, the same rows in one transaction' },
        { ours, peer: rows },
      ),
      compared(
        {
          ...about,
          name: `creates.c${concurrency}.rows-and-bytes`,
          peerName: 'bare pg, the same rows, and the same bytes fsynced',
        },
        { ours, peer: rowsAndBytes },
      ),
    ];
  } finally {
    await bare.close();
  }
}

export const createBenches: readonly Bench[] = [1, 16].map((concurrency) => ({
  name: `creates.c${concurrency}`,
  needsStack: true,
  run: (world: BenchWorld) => measureCreates(world, concurrency),
}));
