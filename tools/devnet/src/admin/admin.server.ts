import type { IncomingMessage } from 'node:http';
import { toHex } from 'viem';
import { z } from 'zod';
import type { BlockProducer } from '../anvil/block.producer.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { DevnetError } from '../devnet.errors.js';
import { listen, readBody, sendJson } from '../http.server.js';
import type { ListeningServer } from '../http.server.js';
import { faultsSchema, noFaults, type Faults } from '../proxy/faults.schema.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { RpcEndpoint } from '../proxy/rpc.endpoint.js';
import type { BatchPoster } from '../rollup/batch.poster.js';
import { FIRST_PRICE, priceRoundSchema } from '../rollup/price.feeds.js';
import type { PriceFeeds } from '../rollup/price.feeds.js';
import type { ChainId } from '../chain-id.js';
import type { ReorgActions } from '../rollup/reorg.actions.js';
import type { Expiries } from './expiries.js';
import type { TruthReader } from './truth.reader.js';

const MAX_BODY_BYTES = 64 * 1024;
const hash = z.string().regex(/^0x[0-9a-f]{64}$/);

const reorgSchema = z.union([
  z.strictObject({ depth: z.int().min(1).max(100_000) }),
  z.strictObject({ dropTransaction: hash }),
  z.strictObject({ dropLastBatch: z.literal(true) }),
]);
const fundSchema = z.strictObject({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  wei: z.string().regex(/^(0|[1-9][0-9]{0,30})$/),
});
const nothingSchema = z.strictObject({});
/** Seconds after which a fault ends by itself; null without that parameter. */
const expirySchema = z
  .string()
  .regex(/^[1-9][0-9]{0,4}$/)
  .transform(Number)
  .nullable();

export interface AdminParts {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly recorders: Readonly<Record<ChainId, ChainRecorder>>;
  readonly endpoints: readonly RpcEndpoint[];
  readonly poster: BatchPoster;
  readonly producers: Readonly<Record<ChainId, BlockProducer>>;
  readonly reorgs: ReorgActions;
  readonly priceFeeds: PriceFeeds;
  readonly truth: TruthReader;
  readonly expiries: Expiries;
}

type Answer = readonly [status: number, body: unknown];

/** Serves the controls of the development chains: faults by endpoint, actions on a chain, and the actual state past both. */
export function serveAdmin(parts: AdminParts, port: number): Promise<ListeningServer> {
  return listen(port, async (request, response) => {
    const [status, body] = await answer(parts, request).catch(asFailure);
    sendJson(response, status, body);
  });
}

async function answer(parts: AdminParts, request: IncomingMessage): Promise<Answer> {
  // No page in a browser on this machine may use these controls.
  if (request.headers.origin !== undefined) return failure(403, 'FORBIDDEN', 'not from a browser');
  const text = await readBody(request, MAX_BODY_BYTES);
  if (text === null) return failure(413, 'BODY_TOO_LARGE', 'the body is too large');
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = url.pathname.split('/').slice(1);
  const seconds = expirySchema.parse(url.searchParams.get('seconds'));
  const route = `${request.method} /${path[0] ?? ''}`;
  if (route === 'GET /faults' && path.length === 1) return [200, faultsOf(parts)];
  if (route === 'GET /controls' && path.length === 1) return [200, await controlsOf(parts)];
  if (route === 'GET /requests' && path.length === 1) return [200, requestsOf(parts)];
  if (route === 'GET /batches' && path.length === 1)
    return [200, { held: parts.poster.held, batches: parts.poster.batches }];
  if (route === 'DELETE /faults' && path.length === 1) return clearFaults(parts);
  if (route === 'PUT /faults' && path.length === 3)
    return putFaults(parts, path[1] ?? '', path[2] ?? '', text, seconds);
  if (route === 'GET /truth' && path.length === 2) return [200, await parts.truth.read(hash.parse(path[1]))];
  if (route === 'POST /chains' && path.length === 3) return act(parts, path[1] ?? '', path[2] ?? '', text, seconds);
  return failure(404, 'NOT_FOUND', 'no such route');
}

function faultsOf(parts: AdminParts): unknown {
  const of = (chain: ChainId): unknown =>
    parts.endpoints.filter((each) => each.chain === chain).map((each) => ({ id: each.id, faults: each.faults }));
  return { '4663': of('4663'), '1': of('1') };
}

function requestsOf(parts: AdminParts): unknown {
  const of = (chain: ChainId): unknown =>
    parts.endpoints.filter((each) => each.chain === chain).map((each) => ({ id: each.id, asked: each.asked }));
  return { '4663': of('4663'), '1': of('1') };
}

async function clearFaults(parts: AdminParts): Promise<Answer> {
  for (const endpoint of parts.endpoints) await setFaults(parts, endpoint, faultsSchema.parse({}), null);
  return [200, faultsOf(parts)];
}

async function putFaults(
  parts: AdminParts,
  chain: string,
  id: string,
  text: string,
  seconds: number | null,
): Promise<Answer> {
  const endpoint = parts.endpoints.find((each) => each.chain === chain && each.id === id);
  if (endpoint === undefined) return failure(404, 'NOT_FOUND', 'no such endpoint');
  await setFaults(parts, endpoint, faultsSchema.parse(parseJson(text)), seconds);
  return [200, { id: endpoint.id, faults: endpoint.faults }];
}

const expiryOf = ({ chain, id }: RpcEndpoint): string => `faults/${chain}/${id}`;

async function setFaults(
  { expiries }: AdminParts,
  endpoint: RpcEndpoint,
  faults: Faults,
  seconds: number | null,
): Promise<void> {
  await endpoint.setFaults(faults);
  expiries.set(expiryOf(endpoint), seconds, () => endpoint.setFaults(noFaults));
}

/** Returns everything that a control changed and that still has an effect. */
async function controlsOf(parts: AdminParts): Promise<unknown> {
  const { endpoints, expiries, poster, priceFeeds, producers, reorgs } = parts;
  const chainOf = async (chain: ChainId): Promise<unknown> => ({
    providers: endpoints
      .filter((each) => each.chain === chain)
      .map((each) => ({ id: each.id, faults: each.faults, until: expiries.at(expiryOf(each)) })),
    price: {
      ...(await priceFeeds.read(chain)),
      usual: FIRST_PRICE[chain].toString(),
      until: expiries.at(`price/${chain}`),
    },
    dropped: { transactions: reorgs.dropped(chain), until: expiries.at(`reorg/${chain}`) },
  });
  return {
    chains: { '4663': await chainOf('4663'), '1': await chainOf('1') },
    posting: { held: poster.held, until: expiries.at('posting') },
    blocks: { held: producers['4663'].held, until: expiries.at('blocks') },
  };
}

async function act(
  parts: AdminParts,
  chain: string,
  action: string,
  text: string,
  seconds: number | null,
): Promise<Answer> {
  const { expiries, poster, priceFeeds, producers, reorgs } = parts;
  if (chain !== '1' && chain !== '4663') return failure(404, 'NOT_FOUND', 'no such chain');
  const body = text === '' ? {} : parseJson(text);
  switch (action) {
    case 'reorg': {
      const outcome = await reorgs.reorg(chain, reorgSchema.parse(body));
      expiries.set(`reorg/${chain}`, seconds, () => reorgs.restore(chain));
      return [200, outcome];
    }
    case 'restore':
      nothingSchema.parse(body);
      expiries.set(`reorg/${chain}`, null, () => reorgs.restore(chain));
      return [200, { restored: await reorgs.restore(chain) }];
    case 'fund':
      return [200, await fund(parts, chain, fundSchema.parse(body))];
    case 'price': {
      const written = await priceFeeds.write(chain, priceRoundSchema.parse(body));
      expiries.set(`price/${chain}`, seconds, () => priceFeeds.write(chain, { answer: FIRST_PRICE[chain].toString() }));
      return [200, written];
    }
    case 'hold-posting':
    case 'resume-posting':
      if (chain !== '1') return failure(404, 'NOT_FOUND', 'batches are posted on chain 1');
      nothingSchema.parse(body);
      expiries.set('posting', action === 'hold-posting' ? seconds : null, () => setPosting(poster, false));
      return [200, await setPosting(poster, action === 'hold-posting')];
    case 'hold-blocks':
    case 'resume-blocks':
      // L1 always continues: only a sequencer can be down.
      if (chain !== '4663') return failure(404, 'NOT_FOUND', 'blocks are held on chain 4663');
      nothingSchema.parse(body);
      expiries.set('blocks', action === 'hold-blocks' ? seconds : null, () => setSequencing(producers[chain], false));
      return [200, await setSequencing(producers[chain], action === 'hold-blocks')];
    default:
      return failure(404, 'NOT_FOUND', 'no such action');
  }
}

async function setPosting(poster: BatchPoster, held: boolean): Promise<unknown> {
  if (!held) poster.resume();
  else {
    poster.hold();
    // Waits for a batch in flight, so that none arrives after this answer.
    await poster.exclusively(() => Promise.resolve());
  }
  return { held, lastPostedL2Block: poster.batches.at(-1)?.lastL2Block ?? null };
}

async function setSequencing(producer: BlockProducer, held: boolean): Promise<unknown> {
  if (held) await producer.hold();
  else producer.resume();
  return { held };
}

/** Adds to a balance out of nothing. */
function fund(parts: AdminParts, chain: ChainId, request: z.output<typeof fundSchema>): Promise<unknown> {
  return parts.producers[chain].whilePaused(async () => {
    const before = BigInt(
      z.string().parse(await parts.clients[chain].call('eth_getBalance', request.address, 'latest')),
    );
    const after = before + BigInt(request.wei);
    await parts.recorders[chain].command('anvil_setBalance', [request.address, toHex(after)]);
    return { address: request.address.toLowerCase(), balanceWei: after.toString() };
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(status: number, code: string, message: string, data: unknown = null): Answer {
  return [status, { error: { code, message, data } }];
}

function asFailure(error: unknown): Answer {
  if (error instanceof z.ZodError) {
    return failure(400, 'BODY_INVALID', 'the request has another shape', z.flattenError(error));
  }
  if (!(error instanceof DevnetError)) return failure(500, 'INTERNAL', 'internal error');
  const status = error.code === 'REORG_TOO_DEEP' ? 409 : error.code === 'TRANSACTION_UNKNOWN' ? 404 : 502;
  return failure(status, error.code, error.message, error.data);
}
