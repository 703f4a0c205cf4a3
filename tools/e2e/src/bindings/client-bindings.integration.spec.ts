import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import { AnsweringServer } from '../../../../clients/multi-role/src/fixtures/answering-server.fixture.js';
import { packedRequests } from '../../../../clients/launch-cli/src/fixtures/packed-requests.fixture.js';
import { outcomesOf, type FalsifiedCommand, type Outcome } from './fixtures/falsified-command.fixture.js';
import { honestAnswers, launchCommands } from './fixtures/launch-commands.fixture.js';
import { clientCommands } from './fixtures/client-commands.fixture.js';
import { moduleCommands } from './fixtures/module-commands.fixture.js';
import { readerCommands } from './fixtures/reader-commands.fixture.js';
import { sdkCommands } from './fixtures/sdk-commands.fixture.js';
import { bindingsPage } from './bindings-page.js';

/** The table of bound members. `WRITE_CLIENT_BINDINGS=1` writes it again. */
const PAGE = new URL('../../../../docs/reference/client-bindings.md', import.meta.url);

/**
 * The exit code of each end: a refused answer, a closed gate that a program obeys, a program that is another one, and
 * a statement that the chain or another answer refutes.
 */
const ENDS: Readonly<Record<string, number>> = {
  LAUNCH_CLI_ANSWER_MISMATCH: 10,
  LAUNCH_CLI_ANSWER_INVALID: 10,
  MULTI_ROLE_CLIENT_RESPONSE_INVALID: 10,
  RESPONSE_NOT_OF_REQUEST: 10,
  MODULE_API_RESPONSE: 10,
  MODULE_REVIEW_RESPONSE: 10,
  MODULE_API_RECEIPT_MISMATCH: 10,
  MODULE_CLI_DIFFERS: 3,
  NOT_PUBLISHED: 3,
  MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS: 3,
  LAUNCH_CLI_GATES_CLOSED: 8,
  MODULE_SUBMISSIONS_UNAVAILABLE: 8,
  MODULE_READS_UNAVAILABLE: 8,
  MODULE_REVIEW_UNAVAILABLE: 8,
  RECORD_INVALID: 3,
  RECORD_DIFFERS: 3,
  EVENT_ABSENT: 3,
  RELEASE_MISMATCH: 3,
  CONTRACT_BYTES_DIFFER: 3,
  DIGEST_DIFFERS: 3,
  SOURCE_UNKNOWN: 4,
  KEYS_INVALID: 4,
  PAGE_INVALID: 4,
  COUNTERS_MIXED: 4,
  PAGE_OVERLONG: 4,
  CURSOR_REPEATED: 4,
  RECORDS_MISCOUNTED: 4,
  FEED_NOT_READY: 4,
  ANSWER_STATUS_UNKNOWN: 4,
};

const folder = temporaryFolder();
const server = new AnsweringServer();
let stopReader = () => Promise.resolve<unknown>(undefined);
const results: { readonly command: FalsifiedCommand; readonly outcomes: readonly Outcome[] }[] = [];
let commands: readonly FalsifiedCommand[];
let honest: AnsweringServer['answer'];

beforeAll(async () => {
  const origin = await server.start();
  const requests = await packedRequests(folder.path);
  const at = { origin, requests, keep: (name: string) => join(folder.path, name) };
  const [launches, modules] = [honestAnswers(requests), moduleCommands(at)];
  honest = (response, request) =>
    (request.url.startsWith('/v1/modules/') ? modules.honest : launches)(response, request);
  const reader = await readerCommands(origin);
  stopReader = reader.stop;
  const ofPrograms = [...launchCommands(at), ...(await clientCommands(at))];
  commands = [...ofPrograms, ...modules.commands, ...reader.commands, ...sdkCommands(at, ofPrograms)];
});
afterAll(async () => {
  await server.stop();
  await stopReader();
  folder.remove();
});

const fieldsOf = (outcomes: readonly Outcome[], isRefused: boolean): string[] => [
  ...new Set(outcomes.filter(({ exitCode }) => (exitCode !== 0) === isRefused).map(({ field }) => field)),
];

describe('A program that a server answers with another value', () => {
  it('uses no answer whose bound member is another, keeps no file of it, and names the members that it cannot compare', async () => {
    for (const command of commands) {
      const [own, ...outcomes] = await outcomesOf(command, server, honest);
      const plain = own!.exitCode;
      // A command that a refusal ends fails in any case: another code shows that it noticed the other value.
      if (command.answer.status < 400) expect([command.name, own]).toMatchObject([command.name, { exitCode: 0 }]);
      const changed = outcomes.map((one) => ({ ...one, exitCode: one.exitCode === plain ? 0 : one.exitCode }));
      for (const one of changed.filter(({ exitCode }) => exitCode !== 0))
        expect([command.name, one]).toEqual([
          command.name,
          {
            field: one.field,
            exitCode: ENDS[one.code ?? ''],
            code: one.code,
            isKept: false,
          },
        ]);
      const listed = Object.values(command.unbound).flat().sort();
      expect([command.name, fieldsOf(changed, false).sort()]).toEqual([command.name, listed]);
      results.push({ command, outcomes: changed });
    }
  }, 900_000);

  it('is described field by field in the reference', () => {
    const page = bindingsPage(results);
    if (process.env['WRITE_CLIENT_BINDINGS'] === '1') writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });
});
