import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { contextSchema, type LaunchResource } from '@launch/contracts/multi-role';
import { canonicalKeccak, sha256Digest } from '@launch/contracts/primitives';
import { call, codeOf, newKey, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { requestBytes, testContext } from '../../../fixtures/test-request.js';

const folder = path.resolve(import.meta.dirname, '../../../../testdata/historical-release');
const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as T;
const bytesOf = (state: string): Buffer => readFileSync(path.join(folder, 'requests', `${state}.json`));

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
interface Recorded {
  readonly launchId: string;
  readonly idempotencyKey: string;
  readonly resource: LaunchResource;
  readonly finality: unknown;
  readonly replay: { readonly status: number; readonly code: string | null; readonly findings: unknown };
}
const { recordedAt, rows } = read<{ recordedAt: string; rows: Rows }>('rows.json');
const { published, ...answers } = read<Record<string, Recorded> & { published: { onchainLaunchId: string } }>(
  'answers.json',
) as { published: { onchainLaunchId: string } } & Record<string, unknown>;
const launches = Object.entries(answers as Record<string, Recorded>);

let gateway: Harness;
let key: string;
beforeAll(async () => {
  // The current release: another context under another policy, and a schema that has moved on.
  gateway = await startHarness({
    context: testContext({
      runtimeRelease: {
        schemaVersion: 'service.multi-role-runtime-release-instance.v2',
        sourceCommit: 'a'.repeat(40),
        sourceTree: 'b'.repeat(40),
      },
    }),
  });
  for (const table of [
    'credential',
    'release_context',
    'launch',
    'idempotency_record',
    'nonce_reservation',
    'transaction_hint',
    'finalized_record',
  ]) {
    for (const row of rows[table] ?? []) {
      const columns = Object.keys(row).join(', ');
      await gateway.database.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_record(NULL::${table}, $1::json)`,
        [JSON.stringify(row)],
      );
    }
  }
  gateway.clock.shiftMs = Date.parse(recordedAt) - Date.now();
  // The wallet's key was rotated since.
  key = (await gateway.credentials.rotate(String(rows['credential']?.[0]?.['credential_id']), 0))?.key ?? '';
});
afterAll(() => gateway.close());

const at = (launch: Recorded, suffix = ''): string => `${gateway.url}${launch.resource.statusUrl}${suffix}`;
const replay = (state: string, launch: Recorded, idempotencyKey = launch.idempotencyKey): Promise<Answer> =>
  call(gateway.base, { key, body: bytesOf(state), headers: { 'idempotency-key': idempotencyKey } });

describe.each(launches)('a launch of an earlier release that was %s', (state, launch) => {
  it('was made under a context without newer fields, which it keeps', async () => {
    const { context } = (await call(at(launch), { key })).json as LaunchResource;
    expect(Object.keys(context.profile)).toEqual(
      expect.not.arrayContaining(['runtimeRelease', 'derivedContractFinality']),
    );
    expect(canonicalKeccak(context)).toBe(launch.resource.contextHash);
    expect(commitContext(contextSchema.parse(context)).contextHash).toBe(launch.resource.contextHash);
    expect((await call(`${gateway.base}/capabilities`)).json.contextCommitments.contextHash).not.toBe(
      launch.resource.contextHash,
    );
  });

  it('has the status and finality it had', async () => {
    expect((await call(at(launch), { key })).json).toEqual(launch.resource);
    expect((await call(at(launch, '/finality'), { key })).json).toEqual(launch.finality);
    expect((await call(gateway.base, { key })).json.items).toContainEqual(launch.resource);
  });

  it('is replayed by its exact bytes and key', async () => {
    expect(sha256Digest(bytesOf(state))).toBe(launch.resource.requestSha256);
    const answer = await replay(state, launch);
    expect({
      status: answer.status,
      code: answer.json.error?.code ?? null,
      findings: answer.json.error?.findings ?? null,
    }).toEqual(launch.replay);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    if (answer.status === 200) expect(answer.json).toEqual(launch.resource);
  });

  it('does not come back as a new launch: its context is no longer current', async () => {
    const answer = await replay(state, launch, newKey());
    expect(answer.status).toBe(422);
    expect(answer.json.error.findings.map(({ code }: { code: string }) => code)).toContain('CONTEXT_NOT_CURRENT');
  });

  it('belongs to V2 hints and finality, never to V3', async () => {
    const hint = (generation: string, suffix: string) =>
      call(at(launch, suffix), {
        key,
        body: requestBytes({
          schemaVersion: `service.multi-role-transaction-hint.${generation}`,
          transactionHash: `0x${'e'.repeat(64)}`,
        }),
      });
    const answer = await hint('v2', '/transaction-hints');
    expect(launch.resource.wallet === null ? codeOf(answer) : answer.status).toBe(
      launch.resource.wallet === null ? 'HINT_NOT_READY' : 202,
    );
    expect(codeOf(await hint('v3', '/transaction-hints-v3'))).toBe('HINT_VERSION_MISMATCH');
    expect((await call(at(launch, '/finality-v3'), { key })).status).not.toBe(200);
    expect((await call(at(launch), { key })).json).toEqual(launch.resource);
  });
});

describe('the earlier release', () => {
  it('keeps its public record and its context, byte for byte', async () => {
    expect((await call(`${gateway.base}/finalized/${published.onchainLaunchId}`)).json).toEqual(published);
    expect((await call(`${gateway.base}/finalized`)).json.items).toEqual([published]);
    const kept = await gateway.database.query<{ document: string }>(
      'SELECT document FROM release_context WHERE context_hash = $1',
      [launches[0]?.[1].resource.contextHash],
    );
    expect(kept.map(({ document }) => document)).toEqual([
      canonicalJsonText(launches[0]?.[1].resource.context as never),
    ]);
  });

  it('is taken up where it stopped: admission and observation of open launches begin again', async () => {
    await gateway.database.query('UPDATE launch SET relay_after = now()');
    await gateway.relay.sweep();
    const idOf = (state: string): string => (answers[state] as Recorded).launchId;
    expect(gateway.workflows.admissions).toContain(idOf('admitting'));
    expect(gateway.workflows.observations.map(({ launchId }) => launchId)).toEqual(
      expect.arrayContaining([idOf('authorized'), idOf('included')]),
    );
    expect(gateway.workflows.observations.map(({ launchId }) => launchId)).not.toContain(idOf('finalized'));
  });
});
