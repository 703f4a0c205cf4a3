// Gives the random tests of fast-check the seed TEST_SEED, if it is set. Only files that use fast-check load it.
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

const seed = process.env.TEST_SEED;
if (seed !== undefined && readFileSync(expect.getState().testPath, 'utf8').includes("from 'fast-check'"))
  (await import('fast-check')).default.configureGlobal({ seed: Number(seed) });
