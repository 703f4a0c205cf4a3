import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { mineSalt } from '@launch/multi-role';
import { spawnGuarded } from '@launch/platform/processes';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, timed } from '../measure/sampling.js';
import type { Stripe } from './hash-wasm.stripe.js';
import { exhaustingTask } from './mining-task.js';

const RATE_ROUNDS = 5;
/** A sample is at least so long: the start of threads is then lost in it. */
const SAMPLE_MS = 1_500;
const LAUNCH_ROUNDS = 7;
/** What fourteen bits take on average. */
const LAUNCH_TRIES = 1 << 14;

/** The product's miner over all of `tries`, the start of its threads included. */
async function ours(tries: number): Promise<number> {
  const { milliseconds, result } = await timed(() => mineSalt(exhaustingTask(tries)));
  if (result !== null) throw new Error('an impossible address was mined');
  return milliseconds;
}

const thread = fileURLToPath(new URL('./hash-wasm.thread.js', import.meta.url));

/** hash-wasm on as many threads, each with an equal stripe; they are started and ready before the clock runs. */
async function hashWasm(tries: number): Promise<number> {
  const threads = Array.from({ length: availableParallelism() }, () => new Worker(thread));
  const at = (index: number): number => Math.floor((tries * index) / threads.length);
  const mine = async (worker: Worker, index: number): Promise<void> => {
    const stripe: Stripe = {
      preimage: new Uint8Array(85),
      flags: exhaustingTask(tries).hookFlags,
      from: at(index),
      to: at(index + 1),
    };
    worker.postMessage(stripe);
    const [found] = (await once(worker, 'message')) as [number];
    if (found !== -1) throw new Error('an impossible address was mined');
  };
  try {
    await Promise.all(threads.map((worker) => once(worker, 'message')));
    return (await timed(() => Promise.all(threads.map(mine)))).milliseconds;
  } finally {
    await Promise.all(threads.map((worker) => worker.terminate()));
  }
}

/** Tries that keep the faster side busy for a sample, on however many cores. */
async function triesOfASample(): Promise<number> {
  for (let tries = 1 << 20; ; tries *= 2) {
    const milliseconds = Math.min(await ours(tries), await hashWasm(tries));
    if (milliseconds >= SAMPLE_MS || tries >= 1 << 30) return tries;
  }
}

async function measureRate(world: BenchWorld): Promise<Measurement[]> {
  const tries = await triesOfASample();
  world.say(`${tries.toLocaleString('en-US')} tries a sample on ${availableParallelism()} threads`);
  const rate = (milliseconds: number): number => (tries * 1_000) / milliseconds;
  const samples = await alternate(RATE_ROUNDS, {
    ours: async () => rate(await ours(tries)),
    peer: async () => rate(await hashWasm(tries)),
  });
  return [
    compared(
      {
        name: 'kernels.mining.rate',
        unit: 'tries/s',
        better: 'higher',
        summary: 'best',
        peerName: 'hash-wasm keccak-256 over the same 85 bytes on as many threads',
      },
      samples,
    ),
  ];
}

const child = fileURLToPath(new URL('./first-salt.child.js', import.meta.url));

async function firstSalt(side: 'ours' | 'peer'): Promise<number> {
  const process_ = spawnGuarded(process.execPath, [child, side, String(LAUNCH_TRIES)], {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(process_, 'exit');
  const answer = once(process_, 'message').then(([milliseconds]) => milliseconds as number);
  const milliseconds = await Promise.race([answer, ended.then(() => undefined)]);
  await ended;
  if (milliseconds === undefined) throw new Error('a miner ended without an answer');
  return milliseconds;
}

async function measureLaunch(world: BenchWorld): Promise<Measurement[]> {
  world.say(`${LAUNCH_TRIES.toLocaleString('en-US')} tries in a process that has mined nothing before`);
  const samples = await alternate(LAUNCH_ROUNDS, { ours: () => firstSalt('ours'), peer: () => firstSalt('peer') });
  return [
    compared(
      {
        name: 'kernels.mining.launch',
        unit: 'ms',
        better: 'lower',
        summary: 'median',
        peerName: 'hash-wasm keccak-256 made ready and used for as many tries',
      },
      samples,
    ),
  ];
}

export const miningBenches: readonly Bench[] = [
  { name: 'kernels.mining.rate', needsStack: false, run: measureRate },
  { name: 'kernels.mining.launch', needsStack: false, run: measureLaunch },
];
