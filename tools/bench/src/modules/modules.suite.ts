import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODULES_PATH } from '@launch/contracts/modules';
import { Pool } from 'pg';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, itemsPerSecond, timed } from '../measure/sampling.js';
import { startAskingFastify } from '../reads/bare-fastify.js';
import { answered, besides, CONNECTIONS } from '../reads/besides.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { bareIntake } from './bare-intake.js';
import { measureModuleBuild } from './module-build.js';
import { moduleRequests, type ModuleRequest } from './module-requests.js';

const SUBMISSIONS = `${MODULES_PATH}/submissions`;
const CONCURRENCY = 4;
const ROUNDS = 5;
const PACKAGES = 16;
const READS = 6_000;
const OPENED_POLL_MS = 10;

/** Returns a row as the gateway stored it, once the review has reported it. */
async function storedRow({ gatewayDatabaseUrl }: BenchStack, submissionId: string, untilReported: boolean) {
  const pool = new Pool({ connectionString: gatewayDatabaseUrl, max: 1 });
  try {
    for (;;) {
      const { rows } = await pool.query<{
        receipt: string;
        projection: string;
        author: string;
        credentialId: string;
        reported: boolean;
      }>(
        `SELECT s.receipt, r.projection, s.author, r.updated_at > s.received_at AS reported,
           (SELECT max(credential_id::text) FROM credential WHERE controller = s.author AND revoked_at IS NULL) AS "credentialId"
         FROM module_submission s JOIN module_review r USING (submission_id) WHERE submission_id = $1`,
        [submissionId],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('the draft has no row');
      if (row.reported || !untilReported) return row;
      await sleep(200);
    }
  } finally {
    await pool.end();
  }
}

const NOT_OPENED = `SELECT count(*)::int AS left FROM module_submission s JOIN module_review r USING (submission_id)
  WHERE s.submission_id = ANY($1) AND r.updated_at <= s.received_at`;

/** Resolves once the review of each of these drafts was opened and has reported it. */
async function allOpened(database: Pool, submissionIds: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ left: number }>(NOT_OPENED, [submissionIds]);
    if (rows[0]?.left === 0) return;
    await sleep(OPENED_POLL_MS);
  }
}

/**
 * Drafts of 4 MiB through the gateway beside their bare rows and bytes: until the last answer, and until the last of their
 * reviews was opened. A review is started after the drafts that come meanwhile, and what it costs is no part of the other side's round.
 */
async function measureIntake(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { gateway, author } = await stack.moduleAuthor();
  const [first] = moduleRequests(author, 1) as [ModuleRequest];
  const { receipt, projection, credentialId } = await storedRow(
    stack,
    await gateway.create(first.bytes, SUBMISSIONS),
    false,
  );
  const bare = bareIntake({
    databaseUrl: stack.gatewayDatabaseUrl,
    folder: path.join(stack.dir, 'bare-modules'),
    connections: CONCURRENCY,
    author,
    credentialId,
    like: { receipt, projection },
  });
  const database = new Pool({ connectionString: stack.gatewayDatabaseUrl, max: 1 });
  const opened: number[] = [];
  const send = async (): Promise<number> => {
    const requests = moduleRequests(author, PACKAGES);
    const submissionIds: string[] = [];
    const { milliseconds, result } = await timed(async () => {
      const received = await itemsPerSecond(requests, CONCURRENCY, async ({ bytes }) => {
        submissionIds.push(await gateway.create(bytes, SUBMISSIONS));
      });
      await allOpened(database, submissionIds);
      return received;
    });
    opened.push((PACKAGES * 1_000) / milliseconds);
    return result;
  };
  const keep = (): Promise<number> => itemsPerSecond(moduleRequests(author, PACKAGES), CONCURRENCY, bare.receive);
  try {
    world.say(`${PACKAGES} drafts of ${first.bytes.length} bytes, ${CONCURRENCY} at a time, ${ROUNDS} rounds`);
    for (const warmUp of [send, keep]) await warmUp();
    opened.length = 0;
    const samples = await alternate(ROUNDS, { ours: send, peer: keep });
    const peerName = 'bare pg, the same rows, and the same request and files fsynced';
    const about = { unit: 'drafts/s', better: 'higher', summary: 'median', peerName } as const;
    return [
      compared({ ...about, name: 'modules.intake' }, samples),
      compared({ ...about, name: 'modules.intake.opened' }, { ours: opened, peer: samples.peer }),
    ];
  } finally {
    await Promise.all([bare.close(), database.end()]);
  }
}

const RECEIPT = 'SELECT receipt FROM module_submission WHERE submission_id = $1 AND author = $2';
const REVIEW = `SELECT r.projection, s.received_at AS "receivedAt", r.updated_at > s.received_at AS "isReported"
  FROM module_review r JOIN module_submission s USING (submission_id) WHERE s.submission_id = $1 AND s.author = $2`;

/** A draft's receipt and its review status, with a key, beside the same SQL behind bare Fastify. */
async function measureReads(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { gateway, author, apiKey } = await stack.moduleAuthor();
  const [request] = moduleRequests(author, 1, 1_024) as [ModuleRequest];
  const submissionId = await gateway.create(request.bytes, SUBMISSIONS);
  const row = await storedRow(stack, submissionId, true);
  const measured: Measurement[] = [];
  for (const [name, target, question] of [
    ['receipt', `${SUBMISSIONS}/${submissionId}`, RECEIPT],
    ['status', `${SUBMISSIONS}/${submissionId}/review`, REVIEW],
  ] as const) {
    const { same, question: asked } = await answered(stack, target, { authorization: `Bearer ${apiKey}` });
    const peer = await startAskingFastify({
      ...same,
      databaseUrl: stack.gatewayDatabaseUrl,
      connections: CONNECTIONS,
      question,
      values: [submissionId, row.author],
      rows: 1,
    });
    const peerName = 'bare pg, the same SQL, behind bare Fastify sending the same bytes';
    const about = { name: `modules.reads.${name}`, peer, peerName, question: { ...asked, answers: READS } };
    measured.push(...(await besides(world, about)));
  }
  return measured;
}

export const moduleBenches: readonly Bench[] = [
  { name: 'modules.reads', needsStack: true, run: measureReads },
  { name: 'modules.intake', needsStack: true, run: measureIntake },
];
export const moduleBuildBenches: readonly Bench[] = [
  { name: 'modules.build', needsStack: false, run: measureModuleBuild },
];
