import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface LintedFixture {
  readonly name: string;
  readonly file: string;
  readonly rule: string | null;
  readonly says: string | null;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

const root = path.resolve(import.meta.dirname, '../..');
/** ESLint and the project graph, on a busy machine. */
const LINT_TIMEOUT_MS = 240_000;

let linted: readonly LintedFixture[];
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, 'lint-fixtures.mjs')],
    {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', NX_DAEMON: 'false' },
      timeout: LINT_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 4 << 20,
    },
  );
  linted = JSON.parse(stdout) as LintedFixture[];
}, LINT_TIMEOUT_MS + 5_000);

const found = (name: string): LintedFixture => {
  const fixture = linted.find((one) => one.name === name);
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  return fixture;
};

describe('The lint', () => {
  it.each([
    'adapter-imports-adapter',
    'app-imports-app',
    'app-imports-app-by-name',
    'app-starts-a-worker-of-its-own',
    'await-of-no-promise',
    'domain-imports-adapter',
    'domain-imports-node',
    'domain-imports-platform',
    'error-is-swallowed',
    'gateway-core-imports-later-folder',
    'gateway-core-imports-product',
    'gateway-data-imports-domain',
    'gateway-domain-imports-http',
    'gateway-imports-custody-database',
    'gateway-imports-signer',
    'gateway-platform-imports-core',
    'gateway-platform-imports-later-folder',
    'gateway-product-imports-composition',
    'gateway-product-imports-product',
    'gateway-product-module-imports-product',
    'http-imports-database',
    'images-import-node',
    'launch-rules-import-adapter',
    'name-is-not-used',
    'promise-floats',
    'promise-is-a-condition',
    'promise-is-dropped-by-a-listener',
    'promise-leaves-its-try',
    'reader-imports-adapter',
    'reader-imports-compiler',
    'reader-imports-database',
    'reader-imports-nest',
    'row-type-is-asserted',
    'switch-forgets-a-member',
    'verifier-imports-adapter',
    'worker-imports-database',
    'workflow-imports-schemas-of-contracts',
    'workflow-imports-zod',
  ])('refuses %s', (name) => {
    const { rule, says, messages } = found(name);
    expect(messages).toContainEqual({ ruleId: rule, message: expect.stringContaining(says ?? '') });
  });
});

describe('The lint, in the same places,', () => {
  it.each([
    'legal-custody',
    'legal-domain',
    'legal-gateway',
    'legal-gateway-product',
    'legal-promises',
    'legal-reader',
    'legal-verifier',
    'legal-workflow',
  ])('accepts %s', (name) => {
    expect(found(name).messages).toEqual([]);
  });
});

it('Every fixture of lint is judged by one of these tests.', () => {
  expect(linted.map((one) => one.name).sort()).toHaveLength(46);
  for (const { rule, says } of linted) expect(rule === null).toBe(says === null);
});
