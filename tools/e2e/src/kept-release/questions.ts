import {
  FINALITY_DISCOVERY_PATH,
  FINALITY_READINESS_PATH,
  FINALITY_ROUTES,
  type AnyFinalizedRecord,
  type LaunchResource,
} from '@launch/contracts/multi-role';
import { MULTI_ROLE_BASE_PATH as BASE, sha256Digest } from '@launch/contracts/primitives';
import type { Heard, Question } from './ask.js';
import type { MadeLaunch } from './make-launches.js';

/** What is asked about a release's launches: every read, exact replays, hints that are there already, and who is not let in. */
export interface Asking {
  readonly launches: readonly MadeLaunch[];
  /** Names of keys that may read as the owner. */
  readonly owners: readonly string[];
  /** Names of keys that are no keys any more. */
  readonly ended: readonly string[];
  /** Names of living keys beside the owner's. */
  readonly others: readonly string[];
  /** Asks, and keeps the answer. */
  readonly ask: (question: Question) => Promise<Heard>;
}

type Generation = 'v2' | 'v3';
const GENERATIONS: readonly Generation[] = ['v2', 'v3'];
const jsonOf = <T>({ answer }: Heard): T => JSON.parse('text' in answer ? answer.text : '') as T;

/** Asks all of it, in an order in which no answer changes a later one. */
export async function askEverything({ launches, owners, ended, others, ask }: Asking): Promise<void> {
  const get = (name: string, path: string, key: string | null, headers: Record<string, string> = {}): Promise<Heard> =>
    ask({ name, method: 'GET', path, key, headers, body: null });
  const post = (
    name: string,
    path: string,
    key: string,
    body: NonNullable<Question['body']>,
    headers: Record<string, string> = {},
  ): Promise<Heard> => ask({ name, method: 'POST', path, key, headers, body });
  const twice = async (name: string, path: string, key: string | null): Promise<Heard> => {
    const heard = await get(name, path, key);
    const etag = heard.answerHeaders['etag'];
    if (etag !== undefined) await get(`${name}, held already`, path, key, { 'if-none-match': etag });
    return heard;
  };
  const pages = async (name: string, route: string, limit: number, key: string | null): Promise<void> => {
    for (let [page, cursor] = [1, null as string | null]; page === 1 || cursor !== null; page += 1) {
      const heard = await get(
        `${name}, page ${page}`,
        `${route}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
        key,
      );
      cursor = jsonOf<{ nextCursor: string | null }>(heard).nextCursor;
    }
  };

  await get('capabilities', `${BASE}/capabilities`, null);
  await get('finality discovery', FINALITY_DISCOVERY_PATH, null);
  await get('finality readiness', FINALITY_READINESS_PATH, null);
  for (const generation of GENERATIONS) {
    const { list } = FINALITY_ROUTES[generation].feed;
    await get(`feed ${generation}`, list, null);
    await pages(`feed ${generation}`, list, 2, null);
  }
  for (const key of owners) {
    await get(`list by ${key}`, BASE, key);
    await pages(`list by ${key}`, BASE, 3, key);
  }
  for (const key of others) await get(`list by ${key}`, BASE, key);
  for (const key of ended) await get(`list by ${key}, which ended`, BASE, key);

  for (const { name, key, launchId, request, transactionHash } of launches) {
    const at = `${BASE}/${launchId}`;
    const readers = key === 'owner' ? owners : [key];
    for (const reader of readers) {
      await get(`${name}: launch by ${reader}`, at, reader);
      for (const generation of GENERATIONS)
        await get(
          `${name}: finality ${generation} by ${reader}`,
          FINALITY_ROUTES[generation].finality.path.replace('{launchId}', launchId),
          reader,
        );
      await twice(`${name}: evidence by ${reader}`, `${at}/finality/evidence`, reader);
    }
    const [reader] = readers as [string];
    await get(`${name}: launch by a stranger`, at, key === 'partner' ? 'owner' : 'partner');
    await get(`${name}: launch by nobody`, at, null);
    const resource = await replays(name, reader, request);
    for (const generation of GENERATIONS) {
      const hint = {
        schemaVersion: `service.multi-role-transaction-hint.${generation}`,
        transactionHash: transactionHash ?? `0x${'e'.repeat(64)}`,
      };
      const { path } = FINALITY_ROUTES[generation].transactionHint;
      // A hash that was not named yet would be kept: only what is there, or is refused, is asked.
      const known = transactionHash !== null || resource?.wallet === undefined;
      if (known)
        await post(`${name}: hint ${generation}`, path.replace('{launchId}', launchId), reader, {
          text: JSON.stringify(hint),
        });
    }
    await published(name, resource);
  }

  async function replays(
    name: string,
    key: string,
    { bytes, idempotencyKey }: MadeLaunch['request'],
  ): Promise<LaunchResource | null> {
    const headers = { 'idempotency-key': idempotencyKey };
    const heard = await post(`${name}: exact replay`, BASE, key, { sha256: sha256Digest(bytes) }, headers);
    await post(`${name}: other bytes under its key`, BASE, key, { text: '{}' }, headers);
    return heard.status === 200 ? jsonOf<LaunchResource>(heard) : null;
  }

  async function published(name: string, resource: LaunchResource | null): Promise<void> {
    if (resource?.status !== 'finalized') return;
    for (const generation of GENERATIONS) {
      const path = FINALITY_ROUTES[generation].feed.record.replace('{onchainLaunchId}', resource.onchainLaunchId);
      const heard = await twice(`${name}: record ${generation}`, path, null);
      if (heard.status === 200)
        await twice(`${name}: image ${generation}`, jsonOf<AnyFinalizedRecord>(heard).image.path, null);
    }
  }
}
