import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const JEST = path.resolve(import.meta.dirname, '../../node_modules/jest/bin/jest.js');

/** Counts who has loaded it, since its module was. */
const COUNTS = 'let uses = 0;\nexport const use = () => (uses += 1);\n';
/** What a test file finds, and then changes. */
const FINDS = `
  import { appendFileSync } from 'node:fs';
  import { afterAll, expect, it, jest } from '@jest/globals';
  import { use as useProduct } from './product.ts';
  import { use as useFixture } from './product.fixture.ts';
  const found = {
    product: useProduct(),
    fixture: useFixture(),
    environment: process.env.SET_BY_A_TEST ?? null,
    realTimers: setTimeout === REAL.setTimeout,
    realExit: EXIT_WAS_REAL,
    timeout: globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] ?? null,
  };
  jest.setTimeout(60_000);
  process.env.SET_BY_A_TEST = 'set';
  process.exit = () => {};
  const seen = [];
  it('runs in its own file alone', () => { seen.push(expect.getState().testPath); jest.useFakeTimers(); });
  afterAll(() => appendFileSync(process.env.REPORT, JSON.stringify({ ...found, seen: seen.length }) + '\\n'));
`;
/** Looks before Jest puts its own `process.exit` in the place of a realm's. */
const REMEMBERS = `
  globalThis.REAL ??= { setTimeout, exit: process.exit };
  globalThis.EXIT_WAS_REAL = process.exit === REAL.exit;
`;

let folder: string;
const file = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'shared-modules-'));
  const config = {
    rootDir: folder,
    cacheDirectory: file('cache'),
    extensionsToTreatAsEsm: ['.ts'],
    transform: {},
    testMatch: ['**/*.spec.ts'],
    setupFiles: [file('real.setup.mjs')],
    testEnvironment: path.join(import.meta.dirname, 'shared.environment.mjs'),
    runtime: path.join(import.meta.dirname, 'shared.runtime.mjs'),
  };
  await Promise.all([
    writeFile(file('package.json'), '{"type":"module"}'),
    writeFile(file('jest.config.json'), JSON.stringify(config)),
    writeFile(file('real.setup.mjs'), REMEMBERS),
    writeFile(file('product.ts'), COUNTS),
    writeFile(file('product.fixture.ts'), COUNTS),
  ]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the tests of the folder in one process. @returns What its test files found in turn, and what Jest said. */
async function run(): Promise<{ readonly found: unknown[]; readonly said: string }> {
  const report = file('report');
  await writeFile(report, '');
  const said = await promisify(execFile)(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', JEST, '--runInBand', '--config', file('jest.config.json')],
    { cwd: folder, env: { ...process.env, REPORT: report, NODE_OPTIONS: '' } },
  ).then(
    ({ stderr }) => stderr,
    (error: { stderr: string }) => error.stderr,
  );
  const lines = (await readFile(report, 'utf8')).split('\n').filter((line) => line !== '');
  return { found: lines.map((line) => JSON.parse(line) as unknown), said };
}

describe('the test files of one worker', () => {
  it('share the modules of the product, and nothing else that one of them left behind', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => writeFile(file(`${name}.spec.ts`), FINDS)));
    const { found, said } = await run();
    const clean = { fixture: 1, environment: null, realTimers: true, realExit: true, timeout: null, seen: 1 };
    expect(said).toContain('Tests:       3 passed');
    expect(found).toEqual([1, 2, 3].map((product) => ({ ...clean, product })));
  });

  it('have modules of their own where they ask for a realm of their own', async () => {
    await writeFile(file('a.spec.ts'), FINDS);
    await writeFile(file('b.spec.ts'), `/** @jest-environment node */\n${FINDS}`);
    const { found } = await run();
    expect(found).toMatchObject([{ product: 1 }, { product: 1 }]);
  });

  it.each(['unstable_mockModule', 'mock'])('may not replace a module that others use by jest.%s', async (mock) => {
    await writeFile(
      file('a.spec.ts'),
      `import { it, jest } from '@jest/globals';
       jest.${mock}('./product.ts', () => ({ use: () => 0 }));
       it('is not run', () => {});`,
    );
    const { said } = await run();
    expect(said).toContain('a file that replaces modules begins with /** @jest-environment node */');
  });

  it('fail when a module that stays registers tests, and those after it do not', async () => {
    await writeFile(file('helper.ts'), `export { it } from '@jest/globals';\n`);
    // Jest begins with the largest file.
    const first = `import { it } from './helper.ts';\nit('runs', () => {});\n${' '.repeat(10_000)}`;
    await Promise.all([writeFile(file('a.spec.ts'), first), writeFile(file('b.spec.ts'), FINDS)]);
    const { said } = await run();
    expect(said).toContain('Test Suites: 1 failed, 1 passed, 2 total');
    expect(said).toMatch(/helper\.ts imports @jest\/globals and is no test code/);
  });
});
