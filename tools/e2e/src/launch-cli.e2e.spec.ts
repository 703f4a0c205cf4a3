import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchCoverageSchema } from '@launch/contracts';
import { BUNDLES, runNode } from '../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

/** The program as it is published, against the running product. */
const program = path.resolve(BUNDLES, '../../launch-cli/bundles/launch.mjs');

let stack: StackAccess;
let folder: string;
beforeAll(async () => {
  stack = await useStack('launches');
  folder = mkdtempSync(path.join(tmpdir(), 'launch-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const launch = async (argv: readonly string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runNode([program, ...argv], {
    env: { SERVICE_API_BASE_URL: stack.gateway, ...env },
  });
  return {
    code,
    result: stdout === '' ? null : JSON.parse(stdout),
    failure: stderr === '' ? null : JSON.parse(stderr),
  };
};

describe('launch', () => {
  it('keeps the coverage report as the service has it', async () => {
    const file = path.join(folder, 'coverage.json');
    const { code, result } = await launch(['coverage', '--chain-id', '4663', '--output', file]);
    const report = launchCoverageSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect([code, result.resource]).toEqual([0, report]);
  });

  it('shows a key what it may do, and ends with 4 for a key of nobody', async () => {
    const key = await stack.issueKey({ scopes: ['custom-launch:read'] });
    const { code, result } = await launch(['credential'], { SERVICE_API_KEY: key });
    expect([code, result.resource]).toMatchObject([0, { scopes: ['custom-launch:read'], chainGrants: ['4663'] }]);
    const stranger = await launch(['credential'], { SERVICE_API_KEY: 'nobody' });
    expect(stranger).toMatchObject({ code: 4, failure: { error: { refusal: { code: 'UNAUTHENTICATED' } } } });
  });

  it('is the program that the service publishes', async () => {
    const { code, result } = await launch(['version', '--verify']);
    expect([code, result.resource]).toMatchObject([0, { isPublished: true, differences: [] }]);
  });
});
