// Hands suites to workers as suite-order.mjs says. Jest remembers how long a suite took on this machine; where it has not run
// yet, slow-suites.json says so. waiting-suites.json names those that mostly wait: for blocks, or for the pauses of retries.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { suiteOrder } from './suite-order.mjs';

const Sequencer = TestSequencer.default ?? TestSequencer;
const listed = (file) => JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8'));
const SLOW_SUITES = listed('slow-suites.json');
const WAITING_SUITES = new Set(listed('waiting-suites.json'));

export default class SlowestFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.workers = options.globalConfig.maxWorkers;
  }

  sort(tests) {
    // Between suites of the same time Jest's own order decides: failed ones first, then by size.
    const suites = super.sort(tests).map((test) => {
      const file = path.relative(test.context.config.rootDir, test.path);
      const seconds = test.duration === undefined ? (SLOW_SUITES[file] ?? 0) : test.duration / 1000;
      return { test, seconds, waits: WAITING_SUITES.has(file) };
    });
    return suiteOrder(suites, this.workers).map(({ test }) => test);
  }
}
