import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { promisify } from 'node:util';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, timed } from '../measure/sampling.js';
import { median } from '../measure/statistics.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { packFresh, renonced } from '../stack/reference-requests.js';

const run = promisify(execFile);
const ROUNDS = 20;
/** Requests per sample, of which it is the median: one slow answer of a busy machine is not the gateway's. */
const QUESTIONS = 25;
const WARM_UP = 300;

/** Another wallet's key, for which every launch of the stack's controller is foreign. */
async function strangersKey({ running }: BenchStack): Promise<string> {
  const [file, ...first] = running.stack.adminCommand;
  const issued = await run(file as string, [
    ...first,
    'keys',
    'issue',
    '--wallet',
    `0x${'5'.repeat(40)}`,
    '--scopes',
    'custom-launch:create,custom-launch:read',
    '--json',
  ]);
  return (JSON.parse(issued.stdout) as { key: string }).key;
}

/** Measures how long a foreign key waits for the 404 of another wallet's launch, beside that of an unknown launch. */
async function measureNotFound(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { request } = await packFresh(stack.context, stack.controller);
  const [bytes] = renonced(request, 1);
  const foreign = await stack.gateway.create(bytes as Uint8Array);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${await strangersKey(stack)}` };
  const refused = (launchId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${stack.running.stack.gateway}${MULTI_ROLE_BASE_PATH}/${launchId}`, { agent, headers }, (answer) => {
        answer
          .resume()
          .once('error', reject)
          .once('end', () =>
            answer.statusCode === 404 ? resolve() : reject(new Error(`a stranger is answered ${answer.statusCode}`)),
          );
      }).once('error', reject);
    });
  const sample = async (id: () => string): Promise<number> => {
    const milliseconds: number[] = [];
    for (let question = 0; question < QUESTIONS; question += 1) {
      const launchId = id();
      milliseconds.push((await timed(() => refused(launchId))).milliseconds);
    }
    return median(milliseconds);
  };
  try {
    world.say(`${ROUNDS} rounds of ${QUESTIONS} questions a side`);
    for (let question = 0; question < WARM_UP; question += 1)
      await refused(question % 2 === 0 ? foreign : randomUUID());
    const samples = await alternate(ROUNDS, { ours: () => sample(() => foreign), peer: () => sample(randomUUID) });
    return [
      compared(
        {
          name: 'manners.not-found',
          unit: 'ms',
          better: 'lower',
          summary: 'median',
          peerName: 'the same question about a launch that does not exist',
        },
        samples,
      ),
    ];
  } finally {
    agent.destroy();
  }
}

export const mannersBenches: readonly Bench[] = [{ name: 'manners.not-found', needsStack: true, run: measureNotFound }];
