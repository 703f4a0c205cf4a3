import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchResource } from '@launch/contracts/multi-role';
import { REHEARSAL_SIGNATURES } from '@launch/evm';
import { withClient } from '@launch/postgres-server';
import type { ServiceName } from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { buying, freshKey, LaunchDesk } from '../fixtures/launch-desk.fixture.js';
import {
  packGoodRequests,
  sendMarkedCustomLaunches,
  type MarkedCustomLaunches,
} from '../fixtures/marked-custom-launches.fixture.js';
import { sendKeyEverywhere } from '../fixtures/sent-keys.fixture.js';
import { bytesBelow, everyHistory, Sentinels } from '../fixtures/sentinels.fixture.js';
import { databaseUrl, DATABASES, everyRow, ROLES } from '../fixtures/stack-databases.fixture.js';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';
import { isTerminal, type Answer } from '../launch-api.js';
import { editStandardJson, type MutableRequest } from '../request-mutation.js';

const TAKES_MS = 240_000;
const run = promisify(execFile);
const SERVICES: readonly ServiceName[] = ['api-gateway', 'admission-worker', 'permit-custody', 'finality-worker'];

let stack: E2eStack;
let desk: LaunchDesk;
let temporal: TemporalClient;
/** Every answer of the API and every output of the operator's command, except the one printing of a new key. */
const said: string[] = [];
const sentinels = new Sentinels();
let admitted: LaunchResource;
let refused: LaunchResource;
let reverting: LaunchResource;
let custom: MarkedCustomLaunches;

const marker = (what: string): string => sentinels.plant(what, `sentinel${randomBytes(24).toString('hex')}`);
const heard = async (answer: Promise<Answer>): Promise<Answer> => {
  const { status, headers, body } = await answer;
  said.push(`${status} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`);
  return { status, headers, body };
};
/** Returns the ids of all created launches. */
const launchIds = (): string[] => [
  ...[admitted, refused, reverting, custom.admitted, custom.refused].map(({ launchId }) => launchId),
  custom.plan.planId,
];
const inSource =
  (file: string, edit: (content: string) => string) =>
  (request: MutableRequest): void =>
    editStandardJson(request, ({ sources }) => {
      const name = Object.keys(sources).find((each) => each.endsWith(file))!;
      sources[name]!.content = edit(sources[name]!.content);
    });
/** Runs the operator's command and accepts any exit code. */
async function admin(...args: string[]): Promise<string> {
  const [file, ...first] = stack.stack.adminCommand;
  const { stdout, stderr } = await run(file as string, [...first, ...args]).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  said.push(stderr);
  return stdout;
}

async function sendAll(): Promise<void> {
  desk = await LaunchDesk.open(stack);
  temporal = await connectTemporal(stack.stack.temporal);
  await customLaunchReleaseIsReady(stack);
  const good = await packGoodRequests(stack);
  await plantSecrets();
  await useKeys();
  await sendSources();
  custom = await sendMarkedCustomLaunches(desk.api, good, { marker, heard });
}

async function plantSecrets(): Promise<void> {
  const text = (...parts: string[]): Promise<string> => readFile(path.join(stack.dir, ...parts), 'utf8');
  for (const name of ['permit-authority', 'controller', 'owner', 'batch-poster'])
    sentinels.plantHex(`private key of ${name}`, await text('chains', 'keys', `${name}.key`));
  for (const name of [
    'credential-pepper',
    'cursor-key',
    ...['postgres', ...ROLES.map(({ role }) => role)].map((role) => `password-${role}`),
  ])
    sentinels.plant(name, (await text('secrets', name)).trim());
  // The calldata of a rehearsal contains this.
  sentinels.plantHex('signature of rehearsals', REHEARSAL_SIGNATURES[0]);
  for (const signer of ['admission', 'answer']) {
    const [, body = ''] = (await text('secrets', `${signer}-signing.pem`)).split('\n');
    sentinels.plant(`${signer} signing key`, body);
  }
}

/** Sends valid, unknown and revoked keys, in the header and in places where no key belongs. */
async function useKeys(): Promise<void> {
  const { api, wallet } = desk;
  const issue = ['keys', 'issue', '--wallet', wallet, '--scopes', 'custom-launch:create,custom-launch:read', '--json'];
  const issued = JSON.parse(await admin(...issue)) as { key: string; credentialId: string };
  const rotated = JSON.parse(
    await admin('keys', 'rotate', '--credential', issued.credentialId, '--grace', '60', '--json'),
  ) as { key: string; credentialId: string };
  const revoked = JSON.parse(await admin(...issue)) as { key: string; credentialId: string };
  said.push(await admin('keys', 'revoke', '--credential', revoked.credentialId, '--json'));
  const keys = {
    'issued key': issued.key,
    'rotated key': rotated.key,
    'revoked key': revoked.key,
    'unknown key': `clk_${randomBytes(10).toString('hex')}_${randomBytes(32).toString('base64url')}`,
    'malformed key': `sentinel-${randomBytes(32).toString('hex')}`,
  };
  for (const [name, key] of Object.entries(keys)) {
    // The secret of a key follows its id.
    sentinels.plant(name, key.split('_').slice(2).join('_') || key);
    await sendKeyEverywhere(api, heard, key);
  }
  // A key where the command expects an id: one that it knows, and one that it does not.
  for (const key of [keys['issued key'], keys['malformed key']])
    said.push(await admin('keys', 'revoke', '--credential', key, '--json'));
  said.push(await admin('keys', 'list'), await admin('keys', 'list', '--json'));
}

async function sendSources(): Promise<void> {
  const { api } = desk;
  const compiled = marker('comment of a source that is admitted');
  const good = await desk.request(inSource('NativeFeeMath.sol', (content) => `${content}\n// ${compiled}\n`));
  const typeError = marker('literal of a source that does not compile');
  const bad = await desk.request(
    inSource('NativeFeeMath.sol', (content) =>
      content.replace('PLATFORM_FEE_BPS = 20', `PLATFORM_FEE_BPS = "${typeError}"`),
    ),
  );
  const syntaxError = marker('source that is only preflighted');
  const broken = await desk.request(
    inSource('NativeFeeMath.sol', (content) =>
      content.replace('PLATFORM_FEE_BPS = 20', `PLATFORM_FEE_BPS = = ${syntaxError}`),
    ),
  );
  const unread = marker('value in a request that is not read to its end');
  const text = Buffer.from(await desk.request()).toString('utf8');

  for (const bytes of [
    canonicalizeJson({ ...(JSON.parse(text) as object), surprise: unread }),
    Buffer.from(text.replace('{"attestation"', `{"attestation":"${unread}","attestation"`)),
    Buffer.from(`${text.slice(0, -1)},"${unread}`),
    canonicalizeJson({ ...(JSON.parse(text) as object), source: unread, nonce: unread }),
  ]) {
    await heard(api.preflight(bytes));
    await heard(api.create(bytes, freshKey()));
  }
  await heard(api.preflight(broken));
  const decided = async (bytes: Uint8Array): Promise<LaunchResource> => {
    const key = freshKey();
    await heard(api.preflight(bytes));
    const created = await heard(api.create(bytes, key));
    const { launchId } = created.body as LaunchResource;
    const resource = await api.until(launchId, (seen) => seen.wallet !== null || isTerminal(seen));
    const hint = JSON.stringify({
      schemaVersion: 'service.multi-role-transaction-hint.v2',
      transactionHash: `0x${'1'.repeat(64)}`,
    });
    for (const suffix of ['', '/finality']) await heard(api.send('GET', `${launchId}${suffix}`));
    await heard(api.send('POST', `${launchId}/transaction-hints`, { body: hint }));
    await heard(api.create(bytes, key));
    return resource;
  };
  const greedy = await desk.request(buying(2n ** 200n));
  [admitted, refused, reverting] = [await decided(good), await decided(bad), await decided(greedy)];
  await heard(api.send('GET', ''));
}

/**
 * Each secret belongs in one place. After every way of sending it, the chapter searches all other places. The stack logs at the
 * most verbose level.
 */
export function sentinelsOf(stackOf: () => E2eStack): void {
  beforeAll(async () => {
    stack = await withOwnController(stackOf());
    await sendAll();
  }, 2 * 300_000);
  afterAll(() => temporal?.close());

  describe('sentinels', () => {
    it('go through every stage', () => {
      expect(admitted.wallet).not.toBeNull();
      expect([refused.status, refused.findings.map(({ code }) => code)]).toEqual([
        'action_required',
        ['COMPILER_ERROR'],
      ]);
      expect([reverting.status, reverting.findings.map(({ code }) => code)]).toEqual([
        'action_required',
        ['SIMULATION_REVERTED'],
      ]);
      expect(custom.admitted.handoff).not.toBeNull();
      expect([custom.refused.status, custom.refused.findings.map(({ code }) => code)]).toEqual([
        'action_required',
        ['COMPILER_ERROR'],
      ]);
      expect(custom.plan.steps[0]).toMatchObject({ status: 'awaiting_signature', authorization: expect.anything() });
      expect(custom.proofs).toEqual([422, 422, 422, 422, 202]);
      expect(said.filter((text) => text.startsWith('401 ')).length).toBeGreaterThanOrEqual(3);
      expect(said.filter((text) => text.startsWith('200 ')).length).toBeGreaterThanOrEqual(3);
    });

    it(
      'are found in the places where they belong',
      async () => {
        const [keys, secrets, blobs] = await Promise.all(
          ['chains/keys', 'secrets', 'blobs'].map((folder) => bytesBelow(path.join(stack.dir, folder))),
        );
        const found = [...sentinels.foundIn(keys!), ...sentinels.foundIn(secrets!), ...sentinels.foundIn(blobs!)];
        const nowhere = [
          'signature of rehearsals',
          'issued key',
          'rotated key',
          'revoked key',
          'unknown key',
          'malformed key',
          'source that is only preflighted',
          'value in a request that is not read to its end',
          'value in a custom-launch request that is not read to its end',
          'custom-launch source that is only preflighted',
          'value in a plan that is not read to its end',
          'value in the body of a step proof',
        ];
        expect([...found, ...nowhere].sort()).toEqual(sentinels.names().sort());
      },
      TAKES_MS,
    );

    it('are in no answer and in no output of the operator’s command', () => {
      const everything = said.join('\n');
      for (const launchId of launchIds()) expect(everything).toContain(launchId);
      expect(sentinels.foundIn(everything)).toEqual([]);
    });

    it(
      'are in no log at the most verbose level',
      async () => {
        const logs = await stack.logs();
        for (const launchId of launchIds()) expect(logs).toContain(launchId);
        for (const name of SERVICES) expect(logs).toContain(`"service":"${name}"`);
        expect(sentinels.foundIn(logs)).toEqual([]);
      },
      TAKES_MS,
    );

    it(
      'are in no answer of a service beside the API, and on no command line',
      async () => {
        for (const name of SERVICES) {
          for (const route of ['metrics', 'healthz', 'readyz']) {
            const response = await fetch(`${stack.services.operationsUrl(name)}/${route}`);
            expect(response.status).toBe(200);
            expect(sentinels.foundIn(await response.text())).toEqual([]);
          }
          const commandLine = await readFile(`/proc/${stack.services.pid(name)}/cmdline`);
          expect(commandLine.toString()).toContain(name);
          expect(sentinels.foundIn(commandLine)).toEqual([]);
        }
      },
      TAKES_MS,
    );

    it(
      'are in no workflow’s history, memo or search attributes',
      async () => {
        const histories = await everyHistory(stack.stack.temporal);
        for (const seen of [
          ...launchIds(),
          'COMPILER_ERROR',
          'rehearseLaunch',
          'LaunchStage',
          'LaunchFamily',
          'custom-launch.v4',
          'plan.v1',
          'authorized',
        ])
          expect(histories).toContain(seen);
        expect(sentinels.foundIn(histories)).toEqual([]);
      },
      TAKES_MS,
    );

    it(
      'are in no row of any database',
      async () => {
        const tables: string[] = [];
        for (const database of DATABASES) {
          for (const [table, rows] of await everyRow(stack, database)) {
            if (rows.length > 0) tables.push(table);
            expect([table, sentinels.foundIn(rows.join('\n'))]).toEqual([table, []]);
          }
        }
        expect(tables).toEqual(
          expect.arrayContaining([
            'credential',
            'launch',
            'decision',
            'permit_signature',
            'source_receipts',
            'plan_step',
            'step_proof',
          ]),
        );
      },
      TAKES_MS,
    );

    it(
      'are in no file beside the databases, except sources in the stored requests',
      async () => {
        const file = (name: string): Promise<Buffer> =>
          readFile(path.join(stack.dir, name)).catch(() => Buffer.alloc(0));
        const temporalFiles = Buffer.concat(await Promise.all(['temporal.sqlite', 'temporal.sqlite-wal'].map(file)));
        for (const launchId of launchIds())
          expect([launchId, temporalFiles.includes(launchId)]).toEqual([launchId, true]);
        expect(sentinels.foundIn(temporalFiles)).toEqual([]);
        for (const folder of ['compiler-cache', 'run'])
          expect([folder, sentinels.foundIn(await bytesBelow(path.join(stack.dir, folder)))]).toEqual([folder, []]);
        for (const name of ['stack.json', 'context.json', 'ports.json', 'chains.json'])
          expect([name, sentinels.foundIn(await file(name))]).toEqual([name, []]);
        const stored = sentinels.foundIn(await bytesBelow(path.join(stack.dir, 'blobs')));
        expect(stored).toEqual([
          'comment of a source that is admitted',
          'literal of a source that does not compile',
          'comment of a custom-launch source that is admitted',
          'literal of a custom-launch source that does not compile',
          'comment of a plan’s source',
        ]);
      },
      TAKES_MS,
    );
  });

  describe('each service’s role', () => {
    const refusalOf = async (url: string, statement = 'SELECT 1'): Promise<string> =>
      withClient(url, async (client) => void (await client.query(statement))).then(
        () => 'let in',
        (error: unknown) => (error as { code?: string }).code ?? String(error),
      );

    it(
      'enters its own database and no other',
      async () => {
        const outcomes: string[][] = [];
        const expected: string[][] = [];
        for (const { role, database: own } of ROLES) {
          for (const database of [...DATABASES, 'postgres', 'template1']) {
            outcomes.push([role, database, await refusalOf(await databaseUrl(stack, role, database))]);
            expected.push([role, database, database === own ? 'let in' : '42501']);
          }
        }
        expect(outcomes).toEqual(expected);
        expect([DATABASES.length, ROLES.length]).toEqual([6, 7]);
      },
      TAKES_MS,
    );

    it(
      'cannot become another role, create one, or gain privileges',
      async () => {
        for (const [index, { role, database }] of ROLES.entries()) {
          const other = ROLES[(index + 1) % ROLES.length]!.role;
          const url = await databaseUrl(stack, role, database);
          for (const statement of [
            `SET ROLE ${other}`,
            'SET ROLE postgres',
            'CREATE ROLE intruder LOGIN',
            `ALTER ROLE ${role} SUPERUSER`,
            'CREATE DATABASE another',
            `GRANT ${other} TO ${role}`,
            "SELECT pg_read_file('postgresql.conf')",
            "COPY (SELECT 1) TO PROGRAM 'true'",
          ]) {
            expect([role, statement, await refusalOf(url, statement)]).toEqual([role, statement, '42501']);
          }
        }
      },
      TAKES_MS,
    );

    it(
      'is asked for its password',
      async () => {
        for (const { role, database } of ROLES) {
          const url = new URL(await databaseUrl(stack, role, database));
          url.password = 'wrong';
          expect(await refusalOf(url.href)).toBe('28P01');
        }
      },
      TAKES_MS,
    );
  });
}
