import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { Running } from './supervisor.js';
import { Supervised } from './supervisor.js';

class Fake implements Running {
  readonly pid = 0;
  #end: () => void = () => undefined;
  readonly exited = new Promise<void>((resolve) => (this.#end = resolve));
  stopped = false;

  crash(): void {
    this.#end();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.#end();
  }
}

function supervise(begin: (start: number) => Promise<Fake>) {
  const events: string[] = [];
  let starts = 0;
  let settled: () => void = () => undefined;
  const next = () => new Promise<void>((resolve) => (settled = resolve));
  const component = new Supervised('thing', () => begin((starts += 1)), {
    onCrash: (_name, attempt, delayMs) => void events.push(`crash ${attempt} ${delayMs}`),
    onRestarted: () => {
      events.push('restarted');
      settled();
    },
    onGivenUp: () => {
      events.push('given up');
      settled();
    },
  });
  return { component, events, next, starts: () => starts };
}

describe('A supervised process', () => {
  it('starts again after it ends by itself, with growing pauses over failed starts', async () => {
    const first = new Fake();
    const second = new Fake();
    const { component, events, next } = supervise(async (start) => {
      if (start === 2) throw new Error('not yet');
      return start === 1 ? first : second;
    });
    await component.start();
    const restarted = next();
    first.crash();
    await restarted;
    expect(events).toEqual(['crash 1 250', 'crash 2 500', 'restarted']);
    expect(await component.up()).toBe(second);
    await component.stop();
    expect(second.stopped).toBe(true);
  });

  it('abandons a start that is under way when it is stopped, and begins no other', async () => {
    const events: string[] = [];
    const component = new Supervised<Fake>(
      'thing',
      (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => (events.push('given up'), reject(signal.reason as Error))),
        ),
      { onCrash: () => undefined, onRestarted: () => undefined, onGivenUp: () => undefined },
    );
    const started = component.start();
    await component.stop();
    await expect(started).rejects.toMatchObject({ name: 'AbortError' });
    await expect(component.start()).rejects.toMatchObject({ name: 'AbortError' });
    expect(events).toEqual(['given up']);
  });

  it('stays stopped after a stop, also in the pause before a restart', async () => {
    const running = new Fake();
    const { component, events, starts } = supervise(async () => running);
    await component.start();
    await component.stop();
    expect([events, starts()]).toEqual([[], 1]);

    const crashing = new Fake();
    const other = supervise(async () => crashing);
    await other.component.start();
    crashing.crash();
    await crashing.exited;
    await other.component.stop();
    expect(other.starts()).toBe(1);
  });

  it('passes on the failure of its first start', async () => {
    const { component } = supervise(async () => Promise.reject(new Error('no')));
    await expect(component.start()).rejects.toThrow('no');
  });

  it('holds back a concurrent restart, so that one process exists afterwards', async () => {
    const first = new Fake();
    const third = new Fake();
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const second = Object.assign(new Fake(), { pid: child.pid as number, exited });
    let begun: () => void = () => undefined;
    const restarting = new Promise<void>((resolve) => (begun = resolve));
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { component, starts } = supervise(async (start) => {
      if (start !== 2) return start === 1 ? first : third;
      begun();
      await gate;
      return second;
    });
    await component.start();
    first.crash();
    await restarting;
    const killed = component.kill('SIGTERM', true);
    open();
    await killed;
    expect(child.signalCode).toBe('SIGTERM');
    expect([component.current, starts()]).toEqual([undefined, 2]);
    expect(await component.resume()).toBe(third);
    expect(starts()).toBe(3);
    await component.stop();
  });
});
