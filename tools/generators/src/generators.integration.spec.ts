import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import gatewayRoute from './gateway-route.generator.js';
import library from './library.generator.js';
import workerFeature from './worker-feature.generator.js';
import type { WorkspaceTree } from './workspace-tree.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Compiler, ESLint and a gateway, on a busy machine. */
const TIMEOUT_MS = 240_000;
const run = promisify(execFile);
/** Workspaces whose sources are copied, so that they import one another and nothing of the original. */
const WORKSPACES = [
  ...['api-gateway', 'admission-worker', 'finality-worker'].map((name) => `apps/${name}`),
  ...['libs', 'prisma'].flatMap((kind) => readdirSync(path.join(ROOT, kind)).map((name) => `${kind}/${name}`)),
  // It imports the contracts.
  'tools/temporal',
];
const COPIED = [
  ...WORKSPACES.map((workspace) => `${workspace}/src`),
  'docs/layout.md',
  'tools/test-run',
  'tools/lint/dependencies.spec.ts',
  'package.json',
  'package-lock.json',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'tools/lint/own-rules.plugin.mjs',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.tests.json',
  'jest.config.mjs',
];
const WRITTEN: string[] = [];
let copy: string;

const linkAll = (folder: string): void => {
  mkdirSync(path.join(copy, folder), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, folder)))
    if (!existsSync(path.join(copy, folder, name)))
      symlinkSync(path.join(ROOT, folder, name), path.join(copy, folder, name));
};

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'launch-generators-'));
  for (const entry of COPIED) cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  mkdirSync(path.join(copy, 'node_modules/@launch'), { recursive: true });
  for (const workspace of WORKSPACES) {
    const { name } = JSON.parse(readFileSync(path.join(ROOT, workspace, 'package.json'), 'utf8')) as { name: string };
    symlinkSync(path.join(copy, workspace), path.join(copy, 'node_modules', name));
    linkAll(workspace);
  }
  for (const folder of ['apps', 'tools', 'node_modules/@launch', 'node_modules']) linkAll(folder);

  const tree: WorkspaceTree = {
    exists: (file) => existsSync(path.join(copy, file)),
    read: (file) => readFileSync(path.join(copy, file), 'utf8'),
    write: (file, content) => {
      mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
      writeFileSync(path.join(copy, file), content);
      WRITTEN.push(file);
    },
  };
  for (const [product] of PRODUCTS)
    await gatewayRoute(tree, {
      name: `${product}-counts`,
      product,
      path: `/v4/${product}-counts`,
      model: 'transactionHint',
    });
  await library(tree, { name: 'coin-rules', type: 'domain', line: 'what a coin may be' });
  await workerFeature(tree, { name: 'judge-royalties', app: 'admission-worker', line: 'Judge the royalties' });
  await workerFeature(tree, { name: 'read-royalties', app: 'finality-worker', line: 'Read the royalties' });
  await workerFeature(tree, { name: 'read-fees', app: 'admission-worker', line: 'Read the fees' });
}, TIMEOUT_MS);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs tests of the copy; answers what Jest reports. */
const jest = async (...which: string[]): Promise<string> => {
  const { stderr } = await run(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--no-warnings', path.join(ROOT, 'node_modules/jest/bin/jest.js')],
      ...['--config', path.join(copy, 'jest.config.mjs'), '--runInBand', ...which],
    ],
    { cwd: copy, timeout: TIMEOUT_MS },
  );
  return stderr;
};

/** Products and the entries of `libs/contracts` that have their wire formats. */
const PRODUCTS = [
  ['multi-role', 'multi-role'],
  ['custom-launch', 'custom-launch'],
  ['plans', 'plans'],
  ['module-submissions', 'modules'],
  ['index', 'index'],
  ['reports', 'reports'],
  ['discovery', 'reports'],
] as const;

/** One product of each kind of route. A gateway that serves one of them has the generated routes of all. */
const SERVED = ['multi-role', 'custom-launch', 'plans', 'index'];

const FEATURES = [
  ['admission-worker', 'royalties', 'judge-royalties'],
  ['admission-worker', 'fees', 'read-fees'],
  ['finality-worker', 'royalties', 'read-royalties'],
] as const;

const sources = (): string[] => [...new Set(WRITTEN)].filter((file) => file.endsWith('.ts'));

describe('The generated code', () => {
  it('contains a route in each product, its wire format, a library in its place, and activities of their workers', () => {
    const features = FEATURES.flatMap(([app, room, name]) => [
      ...['activities', 'service', 'spec'].map((role) => `apps/${app}/src/${room}/${name}.${role}.ts`),
      `libs/contracts/src/activities/${name}.inputs.ts`,
      `libs/contracts/src/orchestration/${name}.types.ts`,
    ]);
    const routes = PRODUCTS.flatMap(([product, entry]) => [
      `libs/contracts/src/${entry}/${product}-counts.schema.ts`,
      ...[
        `data/${product}-counts.repository`,
        `domain/${product}-counts.service`,
        `http/${product}-counts.controller`,
        `http/${product}-counts.integration.spec`,
        `${product}.module`,
      ].map((file) => `apps/api-gateway/src/products/${product}/${file}.ts`),
    ]);
    const registrations = ['admission', 'finality'].flatMap((service) => [
      `apps/${service}-worker/src/${service}.activities.ts`,
      `libs/contracts/src/activities/${service}.inputs.ts`,
      `libs/contracts/src/orchestration/${service}.types.ts`,
    ]);
    const written = [
      ...features,
      ...registrations,
      'libs/contracts/src/orchestration/index.ts',
      'libs/workflows/src/fixtures/admission.fixture.ts',
      'libs/workflows/src/operator/step-summaries.ts',
      ...routes,
      'docs/layout.md',
      'libs/coin-rules/package.json',
      'libs/coin-rules/src/index.ts',
      'libs/coin-rules/tsconfig.json',
      ...new Set(PRODUCTS.map(([, entry]) => `libs/contracts/src/${entry}/index.ts`)),
      'tsconfig.json',
    ];
    expect([...new Set(WRITTEN)].sort()).toEqual(written.sort());
    expect(readFileSync(path.join(copy, 'docs/layout.md'), 'utf8')).toMatch(
      /^\| `libs\/[^\n]*\n\| `libs\/coin-rules` \| what a coin may be \|\n\n/m,
    );
  });

  it(
    'passes the type checker',
    async () => {
      writeFileSync(
        path.join(copy, 'tsconfig.generated.json'),
        JSON.stringify({ extends: './tsconfig.tests.json', files: sources(), include: [] }),
      );
      const { stdout } = await run(
        process.execPath,
        [
          ...[path.join(ROOT, 'node_modules/typescript7/bin/tsc'), '--singleThreaded'],
          ...['-p', path.join(copy, 'tsconfig.generated.json')],
        ],
        { cwd: copy, timeout: TIMEOUT_MS },
      );
      expect(stdout).toBe('');
    },
    TIMEOUT_MS,
  );

  it(
    'keeps the rules of lint, of boundaries and of the format',
    async () => {
      const texts = sources().map((file) => ({ file, text: readFileSync(path.join(copy, file), 'utf8') }));
      const linter = spawn(process.execPath, [path.join(ROOT, 'tools/lint/lint-texts.mjs')], {
        cwd: ROOT,
        env: { ...process.env, NODE_OPTIONS: '', NX_DAEMON: 'false' },
        timeout: TIMEOUT_MS,
      });
      linter.stdin.end(JSON.stringify(texts));
      const [found, trouble] = await Promise.all([text(linter.stdout), text(linter.stderr)]);
      expect([found, trouble]).toEqual(['[]', '']);
      for (const [program, ...options] of [['oxlint'], ['oxfmt', '--check']] as const)
        await run(
          process.execPath,
          [path.join(ROOT, `node_modules/${program}/bin/${program}`), ...options, ...sources()],
          { cwd: copy, timeout: TIMEOUT_MS },
        );
    },
    TIMEOUT_MS,
  );

  it(
    'passes the tests that come with it, on a gateway that serves it and behind the schemas of a worker',
    async () => {
      const stderr = await jest(`/(${SERVED.join('|')})-counts.integration`, ...FEATURES.map(([, , name]) => name));
      expect(stderr).toContain('Tests:       14 passed, 14 total');
    },
    TIMEOUT_MS,
  );

  it(
    'contains a library that declares its dependencies and nothing else',
    async () => {
      expect(await jest('dependencies.spec', '-t', '^The workspace libs/coin-rules ')).toMatch(/Tests: .* 2 passed,/);
    },
    TIMEOUT_MS,
  );

  it('contains no route of a product that admits no launch keys', async () => {
    const tree: WorkspaceTree = { exists: () => false, read: () => '', write: () => undefined };
    const options = { name: 'counts', product: 'reviewer', path: '/v4/counts', model: 'transactionHint' };
    await expect(gatewayRoute(tree, options)).rejects.toThrow('reviewer is none of: multi-role, ');
  });

  it('is not written twice', async () => {
    const tree: WorkspaceTree = {
      exists: () => true,
      read: () => '{}',
      write: () => undefined,
    };
    await expect(library(tree, { name: 'evm', type: 'domain', line: '' })).rejects.toThrow(
      'libs/evm/package.json is there',
    );
  });
});
