import { afterAll, beforeAll, describe } from '@jest/globals';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { brokenParts } from './broken-parts.chapter.js';
import { sentinelsOf } from './sentinels.chapter.js';

/** A stack that logs all it can, and whose parts are broken. */
let stack: E2eStack;
beforeAll(async () => {
  stack = await startE2eStack({ compilesAll: true, env: { ...process.env, LOG_LEVEL: 'trace' } });
}, PATIENCE_MS);
afterAll(() => stack?.stop());

describe('whatever is sent', () => sentinelsOf(() => stack));
brokenParts(() => stack);
