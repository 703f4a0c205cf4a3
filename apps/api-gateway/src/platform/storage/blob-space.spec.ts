import { describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics } from '@launch/platform';
import { BlobSpace } from './blob-space.js';

const logger = createLogger({ service: 'test', level: 'silent' });

function spaceOf(minFreeBytes: number) {
  const disk = { free: 0, fails: false, now: 0 };
  const metrics = createMetrics('test');
  const space = new BlobSpace({
    dir: '/nowhere',
    minFreeBytes,
    now: () => disk.now,
    logger,
    metrics,
    freeBytes: async () => {
      if (disk.fails) throw new Error('no answer');
      return disk.free;
    },
  });
  return { disk, space, metrics };
}

describe('The blob space', () => {
  it('is low below the watermark, and sufficient again only well above it', async () => {
    const { disk, space } = spaceOf(100);
    const seen: boolean[] = [];
    for (const free of [100, 99, 100, 119, 120, 100, 99]) {
      disk.free = free;
      await space.measure();
      seen.push(space.isLow());
    }
    expect(seen).toEqual([false, true, true, true, false, false, true]);
  });

  it('keeps its last measurement while it cannot be measured', async () => {
    const { disk, space } = spaceOf(100);
    await space.measure();
    expect(space.isLow()).toBe(true);
    disk.fails = true;
    await space.measure();
    expect(space.isLow()).toBe(true);
  });

  it('is low for ten seconds after a write found the disk full', async () => {
    const { disk, space, metrics } = spaceOf(0);
    disk.free = 7;
    await space.measure();
    space.noteFull();
    expect(space.isLow()).toBe(true);
    const text = await metrics.metrics();
    expect(text).toMatch(/^launch_blob_intake_closed(\{.*\})? 1$/m);
    expect(text).toMatch(/^launch_blob_free_bytes(\{.*\})? 7$/m);
    disk.now += 10_000;
    expect(space.isLow()).toBe(false);
  });

  it('is measured at the nearest folder that exists', async () => {
    const space = new BlobSpace({
      dir: `${import.meta.dirname}/no/such/folder`,
      minFreeBytes: Number.MAX_SAFE_INTEGER,
      now: Date.now,
      logger,
      metrics: createMetrics('test'),
    });
    await space.measure();
    expect(space.isLow()).toBe(true);
  });
});
