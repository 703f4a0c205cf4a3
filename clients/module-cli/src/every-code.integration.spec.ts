import { expect, it, jest } from '@jest/globals';
import fs, { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { CAPABILITIES, ROUTES } from './fixtures/module-service.fixture.js';
import { EXIT_CODES } from './module-cli.error.js';
import type { Ran } from './fixtures/module-run.fixture.js';

/** A change that another process makes after a number of reads. */
let meanwhile: { afterReads: number; change: () => void } | null = null;
const readSync = ((...parameters: Parameters<typeof fs.readSync>) => {
  const read = fs.readSync(...parameters);
  if (meanwhile !== null && (meanwhile.afterReads -= 1) === 0) meanwhile.change();
  return read;
}) as typeof fs.readSync;
jest.unstable_mockModule('node:fs', () => ({ ...fs, default: fs, readSync }));
const { idOf, IDEMPOTENCY, KEY, moduleRuns, STRANGE_ID } = await import('./fixtures/module-run.fixture.js');

const { at, newModule, run, online, submitArguments, submit } = moduleRuns();
const review = async (): Promise<Ran> => {
  const root = newModule();
  return run(['review-status-module', '--id', idOf(await submit(root)), ...online(root)]);
};
const withOperation = (operation: object): void => {
  at.service.capabilities = { ...CAPABILITIES, operations: { ...CAPABILITIES.operations, ...operation } };
};
const lie = (route: string, change: (body: Record<string, unknown>) => unknown): void => {
  at.service.lie = { route, change };
};

/** The way to reach each code of the client. A code without an entry would be unreachable. */
const MET: Readonly<Record<keyof typeof EXIT_CODES, () => Promise<Ran>>> = {
  MODULE_CLI_ARGUMENTS_INVALID: () => submit(newModule(), '--surprise', 'yes'),
  MODULE_CLI_ENVIRONMENT_INVALID: () => run(submitArguments(newModule()), {}),
  MODULE_KEY_EXPOSED: () => submit(newModule({ 'a.sol': `// ${KEY}` })),
  MODULE_JSON_INVALID: () => {
    const root = newModule();
    writeFileSync(join(root, 'module.json'), '{"a":1,"a":2}');
    return submit(root);
  },
  MODULE_CLI_DIFFERS: () => run(['check-client', '--api-origin', at.origin]),
  MODULE_SUBMISSIONS_UNAVAILABLE: () => {
    withOperation({ submit: false });
    return submit(newModule());
  },
  MODULE_READS_UNAVAILABLE: () => {
    withOperation({ read: false });
    return run(['status-module', '--id', STRANGE_ID, ...online(newModule())]);
  },
  MODULE_REVIEW_UNAVAILABLE: () => {
    withOperation({ reviewStatus: false });
    return run(['review-status-module', '--id', STRANGE_ID, ...online(newModule())]);
  },
  MODULE_API_NETWORK: () => {
    at.service.answer = (response) => void response.destroy();
    return submit(newModule());
  },
  MODULE_API_TIMEOUT: () => {
    at.service.answer = () => undefined;
    return submit(newModule(), '--timeout-ms', '1000');
  },
  MODULE_API_RESPONSE: () => {
    at.service.answer = json(200, '{');
    return submit(newModule());
  },
  MODULE_REVIEW_RESPONSE: () => {
    lie('GET /v1/modules/submissions/', (body) => ({ ...body, approved: true }));
    return review();
  },
  MODULE_API_RECEIPT_MISMATCH: () => {
    lie(`POST ${ROUTES.submissions}`, (body) => ({ ...body, requestDigest: `sha256:${'0'.repeat(64)}` }));
    return submit(newModule());
  },
  MODULE_CLI_FILE: () => {
    const absent = join(newModule(), 'absent.json');
    const argv = ['submit-module', '--root', newModule(), '--request', absent, '--idempotency-key', IDEMPOTENCY];
    return run([...argv, ...online(newModule())]);
  },
  MODULE_FILE_CHANGED: () => {
    const root = newModule();
    meanwhile = { afterReads: 3, change: () => appendFileSync(join(root, 'src/Vesting.sol'), '// more\n') };
    return submit(root).finally(() => (meanwhile = null));
  },
  MODULE_CLI_INTERNAL: () => {
    const environment = Object.defineProperty({}, 'SERVICE_MODULES_API_KEY', {
      get: () => {
        throw new Error('a fault');
      },
    }) as Record<string, string>;
    return run(['list-module-submissions', ...online(newModule())], environment);
  },
};

it.each(Object.entries(EXIT_CODES))('the command ends with %s by its own exit code %i', async (code, exitCode) => {
  const ran = await MET[code as keyof typeof EXIT_CODES]();
  expect([ran.error['code'], ran.exitCode]).toEqual([code, exitCode]);
});
