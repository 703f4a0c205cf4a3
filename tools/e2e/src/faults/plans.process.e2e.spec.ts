import { afterAll, beforeAll } from '@jest/globals';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { moduleDraftsInTrouble } from './module-drafts.chapter.js';
import { plansInTrouble } from './plans.chapter.js';

/** A separate stack: the chapter waits for a window to end, and no other suite should wait with it. */
let stack: E2eStack;
beforeAll(async () => {
  stack = await startE2eStack({});
}, PATIENCE_MS);
afterAll(() => stack?.stop());

moduleDraftsInTrouble(() => stack);
plansInTrouble(() => stack);
