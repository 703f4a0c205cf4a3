import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import { launchCoverageSchema } from '@launch/contracts/reports';
import { configOnStack, sendFromController } from '@launch/start';
import { BUNDLES } from '../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import { runLaunchProgram } from './fixtures/launch-program.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const LAUNCH_MS = 600_000;

let stack: StackAccess;
let folder: string;
beforeAll(async () => {
  stack = await useStack('launches');
  folder = mkdtempSync(path.join(tmpdir(), 'launch-cli-'));
}, LAUNCH_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the published program against the running product. */
const launch = (argv: readonly string[], env: Record<string, string> = {}) => runLaunchProgram(stack, argv, env);

describe('The program launch', () => {
  it('saves the coverage report with the bytes of the service', async () => {
    const file = path.join(folder, 'coverage.json');
    const { code, result } = await launch(['coverage', '--chain-id', '4663', '--output', file]);
    const report = launchCoverageSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect([code, result.resource]).toEqual([0, report]);
  });

  it('shows the permissions of a key, and ends with 4 for an unknown key', async () => {
    const key = await stack.issueKey({ scopes: ['custom-launch:read'] });
    const { code, result } = await launch(['credential'], { SERVICE_API_KEY: key });
    expect([code, result.resource]).toMatchObject([0, { scopes: ['custom-launch:read'], chainGrants: ['4663'] }]);
    const stranger = await launch(['credential'], { SERVICE_API_KEY: 'nobody' });
    expect(stranger).toMatchObject({ code: 4, failure: { error: { refusal: { code: 'UNAUTHENTICATED' } } } });
  });

  it(
    'takes a custom launch from its config to finality, while only the controller signs and sends',
    async () => {
      const [config, request, handoffFile] = ['config', 'request', 'handoff'].map((name) =>
        path.join(folder, `${name}.json`),
      ) as [string, string, string];
      await writeFile(config, JSON.stringify((await configOnStack(stack.stack, BUNDLES)).config));
      const env = { SERVICE_API_KEY: await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }) };
      const packed = await launch(['pack', '--config', config, '--output', request]);
      expect(packed).toMatchObject({ code: 0, result: { httpStatus: null } });
      const validated = await launch(['validate', request, '--config', config, '--remote', '--retry'], env);
      expect(validated).toMatchObject({ code: 0, result: { resource: { launchEligibility: { deployable: true } } } });
      const submitted = await launch(['submit', request, '--config', config], env);
      expect(submitted).toMatchObject({ code: 0, result: { httpStatus: 202, replayed: false } });
      expect(await launch(['submit', request, '--config', config], env)).toMatchObject({
        code: 0,
        result: { httpStatus: 200, replayed: true },
      });

      const { launchId } = submitted.result.resource;
      const status = (...more: string[]) =>
        launch(['status', launchId, '--api-version', '4', '--chain-id', '4663', '--retry', ...more], env);
      expect(await status('--watch', '--until', 'authorized', '--output', handoffFile)).toMatchObject({ code: 0 });
      const handoff = customLaunchHandoffSchema.parse(JSON.parse(await readFile(handoffFile, 'utf8')));
      expect(handoff.requestSha256).toBe(packed.result.resource.requestSha256);
      await sendFromController(stack.stack, handoff.walletTransaction);
      expect(await status('--watch', '--until', 'finalized')).toMatchObject({
        code: 0,
        result: { resource: { launchId, status: 'finalized' } },
      });
      const { result } = await launch(['list', '--limit', '25'], env);
      expect(result.resource.items.map((one: { readonly launchId: string }) => one.launchId)).toContain(launchId);
      const stranger = { SERVICE_API_KEY: await stack.issueKey({ scopes: ['custom-launch:read'] }) };
      expect((await launch(['submit', request, '--config', config], stranger)).code).toBe(4);
      expect((await launch(['status', randomUUID()], env)).code).toBe(5);
    },
    LAUNCH_MS,
  );

  it(
    'ends with 3 for a launch that is refused after it was created, and names the reason',
    async () => {
      const [config, request] = ['poor-config', 'poor-request'].map((name) => path.join(folder, `${name}.json`)) as [
        string,
        string,
      ];
      const { config: good } = await configOnStack(stack.stack, BUNDLES);
      // The gas cost is known with the permit, so create cannot report it.
      await writeFile(config, JSON.stringify({ ...good, budgets: { ...good.budgets, maxGasCostWei: '1' } }));
      const env = { SERVICE_API_KEY: await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }) };
      expect((await launch(['pack', '--config', config, '--output', request])).code).toBe(0);
      const submitted = await launch(['submit', request, '--config', config], env);
      expect(submitted).toMatchObject({ code: 0, result: { httpStatus: 202 } });
      const { launchId } = submitted.result.resource;
      const watched = await launch(['status', launchId, '--watch', '--until', 'finalized', '--retry'], env);
      expect(watched).toMatchObject({
        code: 3,
        result: {
          resource: {
            launchId,
            status: 'action_required',
            findings: [{ code: 'BUDGET_EXCEEDED', path: '/budgets/maxGasCostWei' }],
          },
        },
      });
    },
    LAUNCH_MS,
  );

  it('equals the program that the service publishes', async () => {
    const { code, result } = await launch(['version', '--verify']);
    expect([code, result.resource]).toMatchObject([0, { isPublished: true, differences: [] }]);
  });
});
