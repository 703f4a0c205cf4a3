import { afterAll, beforeAll } from '@jest/globals';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { lyingObservers } from './observers.chapter.js';
import { reorgs } from './reorgs.chapter.js';

/** A stack whose chains are made to lie and to reorganise. */
let stack: E2eStack;
beforeAll(async () => {
  // The chapters judge a number of polls: they may come quickly.
  stack = await startE2eStack({
    finalitySeconds: 4,
    serviceEnv: { 'finality-worker': { FINALITY_POLL_MAX_MS: '1500' } },
  });
}, PATIENCE_MS);
afterAll(() => stack?.stop(), 60_000);

reorgs(() => stack);
lyingObservers(() => stack);
