import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { processorTimeOf } from '../measure/processor-time.js';
import { alternate, compared, type PairedSamples } from '../measure/sampling.js';
import type { BenchStack } from '../stack/bench-stack.js';
import type { BareAnswer } from './bare-fastify.child.js';
import type { BareFastify } from './bare-fastify.js';
import { answersPerSecond, type Asked } from './kept-connections.js';

export const CONNECTIONS = 16;
const ROUNDS = 5;
/** Rounds before the first that counts: the larger a program, the later its last function is optimized. */
const WARM_UP_ROUNDS = 4;

interface Server {
  readonly port: number;
  readonly pid: number;
}

interface Pace {
  /** Answers a second of the clock. */
  readonly byClock: number;
  /** Answers a second of the server's own processor time; undefined where the system does not tell it. */
  readonly byProcessor: number | undefined;
}

/** A repeated question, and the number of its answers in a round. */
interface Question extends Omit<Asked, 'port'> {
  readonly answers: number;
}

async function pace({ port, pid }: Server, { answers, ...asked }: Question): Promise<Pace> {
  const before = processorTimeOf(pid);
  const byClock = await answersPerSecond({ port, ...asked }, CONNECTIONS, answers);
  const after = processorTimeOf(pid);
  return {
    byClock,
    byProcessor: before === undefined || after === undefined ? undefined : (answers * 1_000) / (after - before),
  };
}

/** The gateway's answer to one question, and what a server that sends the same needs of it. */
export async function answered(
  { running }: BenchStack,
  target: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(`${running.stack.gateway}${target}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`GET ${target} answers ${answer.status}`);
  const same: BareAnswer = {
    path: target.replace(/\?.*$/, ''),
    contentType: answer.headers.get('content-type') ?? '',
    bodyBase64: body.toString('base64'),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const etag = answer.headers.get('etag') ?? '';
  return { same, etag, question: { path: target, headers: lines.join(''), bodyBytes: body.length } };
}

interface Compared {
  readonly name: string;
  readonly peer: BareFastify;
  readonly peerName: string;
  readonly question: Question;
}

/** Rate of a read beside a server that sends the same body, over as many kept connections, by both times. It ends the peer. */
export async function besides(
  world: BenchWorld,
  { name, peer, peerName, question }: Compared,
): Promise<readonly Measurement[]> {
  const samples = { byClock: noSamples(), byProcessor: noSamples() };
  const take = async (side: 'ours' | 'peer', server: Server): Promise<number> => {
    const { byClock, byProcessor } = await pace(server, question);
    samples.byClock[side].push(byClock);
    if (byProcessor !== undefined) samples.byProcessor[side].push(byProcessor);
    return byClock;
  };
  try {
    const { running } = await world.stack();
    const pid = running.services.pid('api-gateway');
    if (pid === undefined) throw new Error('the gateway does not run');
    const gateway = { port: Number(new URL(running.stack.gateway).port), pid };
    const { answers, bodyBytes } = question;
    world.say(`${name}: ${answers} answers of ${bodyBytes} bytes, ${CONNECTIONS} at a time, ${ROUNDS} rounds`);
    for (const server of [gateway, peer]) await pace(server, { ...question, answers: answers * WARM_UP_ROUNDS });
    await alternate(ROUNDS, { ours: () => take('ours', gateway), peer: () => take('peer', peer) });
  } finally {
    await peer.close();
  }
  const about = { unit: 'answers/s', better: 'higher', summary: 'median', peerName } as const;
  return [
    compared({ ...about, name }, samples.byClock),
    ...(samples.byProcessor.ours.length === ROUNDS
      ? [compared({ ...about, name: `${name}.processor` }, samples.byProcessor)]
      : []),
  ];
}

const noSamples = (): PairedSamples => ({ ours: [], peer: [] });
