import { afterAll, beforeAll, describe } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contextSchema, DERIVED_CONTRACT_FINALITY_V3 } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { startE2eStack, withOwnController, type E2eStack } from '../stacks/own-stack.js';
import { batchOperations } from './batch-operations.chapter.js';
import { operator } from './operator.chapter.js';
import { specOnlyClient, specOnlyClientOfV3 } from './spec-only-client.chapter.js';
import { FINALITY, twoGenerations } from './two-generations.chapter.js';

/** A stack that publishes a V2 context, is operated, and then publishes a V3 context. */
const SCOPES = ['custom-launch:create', 'custom-launch:read'];

let stack: E2eStack;
beforeAll(async () => {
  // Recoveries of a second each, so that a batch meets one.
  stack = await startE2eStack({ serviceEnv: { 'finality-worker': { RECOVERY_POLL_MS: '1000' } } });
}, 2 * PATIENCE_MS);
afterAll(() => stack?.stop(), 60_000);

/** Writes the stack's context with the V3 policy. @returns its file. */
async function writeContextV3(): Promise<string> {
  const context = contextSchema.parse(JSON.parse(await readFile(path.join(stack.dir, 'context.json'), 'utf8')));
  const profile = { ...context.profile, derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 };
  const file = path.join(stack.dir, 'context-v3.json');
  await writeFile(file, canonicalizeJson({ ...context, profile }));
  return file;
}

describe('with a V2 context', () => {
  specOnlyClient(() => stack);
  operator(() => stack);
  batchOperations(() => stack);
});

describe('after a V3 context was published', () => {
  let own: E2eStack;
  let key: string;
  let old: HandedOff;
  beforeAll(async () => {
    own = await withOwnController(stack);
    key = await own.issueKey({ scopes: SCOPES });
    old = await (await Launcher.withKey(own, key)).authorize();
    const LAUNCH_CONTEXT_FILE = await writeContextV3();
    await stack.restart('permit-custody', { LAUNCH_CONTEXT_FILE });
    await stack.restart('finality-worker', { LAUNCH_CONTEXT_FILE, ...FINALITY });
    await stack.restart('api-gateway', { LAUNCH_CONTEXT_FILE });
  }, 2 * PATIENCE_MS);

  specOnlyClientOfV3();
  twoGenerations(() => ({ stack: own, key, old }));
});
