import { afterAll, beforeAll, describe } from '@jest/globals';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { brokenParts } from './broken-parts.chapter.js';
import { reviewConsoleAway } from './review-console.chapter.js';
import { sentinelsOf } from './sentinels.chapter.js';

/** A stack with the most verbose logs, parts of which are broken. */
let stack: E2eStack;
beforeAll(async () => {
  stack = await startE2eStack({
    compilesAll: true,
    env: { ...process.env, LOG_LEVEL: 'trace' },
    without: ['module-builder', 'module-review', 'indexer'],
  });
}, PATIENCE_MS);
afterAll(() => stack?.stop());

describe('for any request', () => sentinelsOf(() => stack));
brokenParts(() => stack);
reviewConsoleAway(() => stack);
