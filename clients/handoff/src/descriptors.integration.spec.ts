import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { signingContext } from './fixtures/signed-handoff.fixture.js';
import { descriptorOf } from './fixtures/descriptors.fixture.js';

/** Returns whether the linter of the standard, the Python package erc7730, is on the path. */
function hasLinter(): boolean {
  try {
    execFileSync('erc7730', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const test = hasLinter() ? it : it.skip;

test('The linter of ERC-7730 finds no error in the descriptors (skipped unless the program erc7730 is installed)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'erc7730-'));
  const { address } = signingContext().chainDeployment.router;
  try {
    for (const router of ['v1', 'v2'] as const) {
      const descriptor = descriptorOf(router);
      const contract = { ...descriptor.context.contract, deployments: [{ chainId: 4663, address }] };
      writeFileSync(
        join(folder, `calldata-router-${router}.json`),
        JSON.stringify({ ...descriptor, context: { ...descriptor.context, contract } }),
      );
    }
    const { stdout } = await promisify(execFile)('erc7730', ['lint', folder]);
    expect(stdout).not.toMatch(/error/i);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
