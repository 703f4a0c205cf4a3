import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { familyProcessorTime, ownProcessorTime, parseStat, processorTimeOf } from './processor-time.js';

describe('Processor time', () => {
  it.each([
    ['4711 (node) S 17 4711 4711 0 -1 4194560 1 2 3 4 120 30 0 0 20 0 11', { parent: 17, milliseconds: 1_500 }],
    ['4711 (a) S) (b) S 18 4711 4711 0 -1 4194560 1 2 3 4 1 0 7 8 20 0 11', { parent: 18, milliseconds: 160 }],
  ])('is read from %s', (stat, expected) => {
    expect(parseStat(stat)).toEqual(expected);
  });

  it("of the family equals or exceeds this process's own, to the tick, where the system reports it", () => {
    const own = ownProcessorTime();
    expect(familyProcessorTime() ?? own).toBeGreaterThanOrEqual(own - 20);
  });

  it('of one process equals or exceeds that of its threads, to the tick, where the system reports it', () => {
    const before = ownProcessorTime();
    const measured = processorTimeOf(process.pid);
    if (measured === undefined) return;
    expect(measured).toBeGreaterThanOrEqual(before - 20);
  });

  it('of an absent process is not reported', () => {
    expect(processorTimeOf(2 ** 30)).toBeUndefined();
  });

  it('of the family keeps the time of an ended process below', () => {
    const before = familyProcessorTime();
    const { stdout } = spawnSync(
      process.execPath,
      ['-e', 'while (process.cpuUsage().user < 400_000); console.log(process.cpuUsage().user)'],
      { encoding: 'utf8' },
    );
    expect(Number(stdout)).toBeGreaterThanOrEqual(400_000);
    const after = familyProcessorTime();
    if (before !== undefined && after !== undefined) expect(after - before).toBeGreaterThanOrEqual(400 - 20);
  });
});
