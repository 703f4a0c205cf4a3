import { afterAll, beforeAll, describe } from '@jest/globals';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { publishContextV3 } from '../stacks/context-v3.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { batchOperations } from './batch-operations.chapter.js';
import { operator } from './operator.chapter.js';
import { specOnlyClient, specOnlyClientOfV3 } from './spec-only-client.chapter.js';

/** A stack that publishes a V2 context, is operated, and then publishes a V3 context. */
let stack: E2eStack;
beforeAll(async () => {
  // Frequent recoveries, so that a batch meets one.
  stack = await startE2eStack({ serviceEnv: { 'finality-worker': { RECOVERY_POLL_MS: '2000' } } });
}, 2 * PATIENCE_MS);
afterAll(() => stack?.stop());

describe('with a V2 context', () => {
  specOnlyClient(() => stack);
  operator(() => stack);
  batchOperations(() => stack);
});

describe('after a V3 context was published', () => {
  beforeAll(() => publishContextV3(stack), 2 * PATIENCE_MS);
  specOnlyClientOfV3();
});
