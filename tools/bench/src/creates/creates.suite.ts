import path from 'node:path';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { Pool } from 'pg';
import { alternate, compared, itemsPerSecond, timed } from '../measure/sampling.js';
import type { GatewayClient } from '../stack/gateway.client.js';
import { packFresh, renonced } from '../stack/reference-requests.js';
import { allStarted } from './all-started.js';
import { bareCreates } from './bare-postgres.js';
import { measureFamilies } from './families.js';
import { measureTracedCreates } from './traced-creates.js';

const ROUNDS = 3;
/** Requests a round, by concurrency: a few seconds each on two slow cores. */
const REQUESTS: Readonly<Record<number, number>> = { 1: 24, 16: 128 };
/** Creates after which V8 has optimised the gateway's frequent functions. */
const WARM_UP = 4;

/** Measures a round of creates, until the last answer and until the last of their workflows has started. */
async function round(
  gateways: readonly GatewayClient[],
  database: Pool,
  bodies: readonly Uint8Array[],
  concurrency: number,
): Promise<{ readonly accepted: number; readonly started: number }> {
  const launchIds: string[] = [];
  let turn = 0;
  const { milliseconds, result } = await timed(async () => {
    const accepted = await itemsPerSecond(bodies, concurrency, async (bytes) => {
      const gateway = gateways[(turn += 1) % gateways.length] as GatewayClient;
      launchIds.push(await gateway.create(bytes));
    });
    await allStarted(database, launchIds);
    return accepted;
  });
  return { accepted: result, started: (bodies.length * 1_000) / milliseconds };
}

async function prepare(world: BenchWorld, concurrency: number) {
  const stack = await world.stack();
  const { request } = await packFresh(stack.context, stack.controller);
  await stack.running.services.kill('admission-worker', 'SIGTERM', { hold: true });
  const count = REQUESTS[concurrency] ?? concurrency;
  const bodies = (of = count): Uint8Array[] => renonced(request, of);
  world.say(`${count} requests of ${bodies(1)[0]?.byteLength ?? 0} bytes, ${concurrency} at a time, ${ROUNDS} rounds`);
  return { stack, request, bodies, database: new Pool({ connectionString: stack.gatewayDatabaseUrl, max: 1 }) };
}

const ABOUT = { unit: 'creates/s', better: 'higher', summary: 'median' } as const;

/**
 * Durable creates through the gateway beside the bare rows, and beside the bare rows and bytes. A create is HTTP,
 * credential, strict JSON, schema, meaning, quotas, blob and rows fsynced, and the workflow's start. The admission
 * worker rests meanwhile, so that what is measured is the reservation and not the admissions it leads to.
 */
async function measureCreates(world: BenchWorld, concurrency: number): Promise<readonly Measurement[]> {
  const { stack, request, bodies, database } = await prepare(world, concurrency);
  const bare = bareCreates({
    databaseUrl: stack.gatewayDatabaseUrl,
    folder: path.join(stack.dir, 'bare-blobs'),
    connections: concurrency,
    request,
    contextText: canonicalJsonText(request.context),
  });
  try {
    await round([stack.gateway], database, bodies(WARM_UP * concurrency), concurrency);
    await itemsPerSecond(bodies(WARM_UP * concurrency), concurrency, bare.rowsAndBytes);
    const accepted: number[] = [];
    const started: number[] = [];
    const rows: number[] = [];
    const rowsAndBytes: number[] = [];
    for (let index = 0; index < ROUNDS; index += 1) {
      const sent = bodies();
      const ours = await round([stack.gateway], database, sent, concurrency);
      accepted.push(ours.accepted);
      started.push(ours.started);
      rows.push(await itemsPerSecond(sent, concurrency, bare.rows));
      rowsAndBytes.push(await itemsPerSecond(sent, concurrency, bare.rowsAndBytes));
    }
    const name = `creates.c${concurrency}`;
    const bareRows = 'bare pg, the same rows in one transaction';
    const bareBytes = 'bare pg, the same rows, and the same bytes fsynced';
    return [
      compared({ ...ABOUT, name: `${name}.rows`, peerName: bareRows }, { ours: accepted, peer: rows }),
      compared(
        { ...ABOUT, name: `${name}.rows-and-bytes`, peerName: bareBytes },
        { ours: accepted, peer: rowsAndBytes },
      ),
      compared({ ...ABOUT, name: `${name}.started`, peerName: bareBytes }, { ours: started, peer: rowsAndBytes }),
    ];
  } finally {
    await bare.close();
    await database.end();
  }
}

/** Measures the gain of a second gateway on the same machine; requests alternate between the two. */
async function measureScale(world: BenchWorld): Promise<readonly Measurement[]> {
  const concurrency = 16;
  const { stack, bodies, database } = await prepare(world, concurrency);
  const both = [stack.gateway, await stack.secondGateway()];
  try {
    for (const gateway of both) await round([gateway], database, bodies(WARM_UP * concurrency), concurrency);
    const rate = async (gateways: readonly GatewayClient[]): Promise<number> =>
      (await round(gateways, database, bodies(), concurrency)).accepted;
    const samples = await alternate(ROUNDS, { ours: () => rate(both), peer: () => rate([stack.gateway]) });
    return [compared({ ...ABOUT, name: 'creates.scale', peerName: 'one gateway' }, samples)];
  } finally {
    await database.end();
  }
}

export const createBenches: readonly Bench[] = [
  ...[1, 16].map((concurrency) => ({
    name: `creates.c${concurrency}`,
    needsStack: true,
    run: (world: BenchWorld) => measureCreates(world, concurrency),
  })),
  { name: 'creates.scale', needsStack: true, run: measureScale },
  { name: 'creates.families', needsStack: true, run: measureFamilies },
  { name: 'creates.traced', needsStack: true, run: measureTracedCreates },
];
