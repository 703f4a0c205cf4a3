import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PROGRESS_MS, StallWatch } from './stall-watch.js';

const STALL_MS = 60_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a job', () => {
  it('A job that uses processor time slowly outlasts any wall-clock time.', () => {
    const onStall = jest.fn();
    const watch = new StallWatch(STALL_MS, onStall);
    for (let minute = 1; minute <= 60; minute += 1) {
      jest.advanceTimersByTime(STALL_MS - 1);
      watch.observe(minute * PROGRESS_MS);
    }
    expect(onStall).not.toHaveBeenCalled();
    jest.advanceTimersByTime(STALL_MS);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('A job that reports only the use of its guard has stalled.', () => {
    const onStall = jest.fn();
    const watch = new StallWatch(STALL_MS, onStall);
    watch.observe(PROGRESS_MS);
    for (let second = 1; second <= 60; second += 1) {
      expect(onStall).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1_000);
      watch.observe(PROGRESS_MS + 2 * second);
    }
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('A job that never reports has stalled.', () => {
    const onStall = jest.fn();
    new StallWatch(STALL_MS, onStall);
    jest.advanceTimersByTime(STALL_MS);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('A job that has ended does not stall.', () => {
    const onStall = jest.fn();
    new StallWatch(STALL_MS, onStall).stop();
    jest.advanceTimersByTime(STALL_MS);
    expect(onStall).not.toHaveBeenCalled();
  });
});
