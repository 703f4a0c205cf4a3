// Slow suites first, so that no worker begins a long one when the others are done. Jest remembers how long a suite took on this
// machine; where it has not run yet, tools/test-run/slow-suites.json says so.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const Sequencer = TestSequencer.default ?? TestSequencer;
const SLOW_SUITES = JSON.parse(readFileSync(path.join(import.meta.dirname, 'slow-suites.json'), 'utf8'));

export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path: file, duration, context }) =>
      duration === undefined ? (SLOW_SUITES[path.relative(context.config.rootDir, file)] ?? 0) : duration / 1000;
    // Between suites of the same time Jest's own order decides: failed ones first, then by size.
    const ordered = super.sort(tests);
    return [...ordered].sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}
