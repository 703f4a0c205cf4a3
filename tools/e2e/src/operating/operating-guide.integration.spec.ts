import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECOVERY_WORKFLOW_ID } from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { locateTemporal } from '@launch/temporal-server';
import { sharedTemporal } from '@launch/testing';
import { filled, guidePages } from './operating-guide.js';

/** Checks the operating guide as far as possible without the product; `npm run operating-guide` checks the rest. */
const root = path.resolve(import.meta.dirname, '../../../..');
const PICTURES = path.join(root, 'docs/guides/operating');
const MAX_PICTURES_BYTES = 2_000_000;
const pages = guidePages(readFileSync(path.join(root, 'docs/guides/operating.md'), 'utf8'));
const names = {
  launchId: '0b0e7f3c-0000-4000-8000-000000000001',
  controller: `0x${'1'.repeat(40)}`,
  code: 'COMPILER_ERROR',
};
const run = promisify(execFile);

let temporal: TemporalClient;
let program: string;
beforeAll(async () => {
  temporal = await connectTemporal(await sharedTemporal());
  ({ program } = await locateTemporal());
});
afterAll(() => temporal.close());

describe('the operating guide', () => {
  it('has ten pages, each with a picture of its own, and no other picture', () => {
    expect(pages.map(({ title }) => Number.parseInt(title, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const files = readdirSync(PICTURES);
    expect(files.sort()).toEqual(pages.map(({ picture }) => `${picture}.png`).sort());
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(PICTURES, file)).size, 0);
    expect(bytes).toBeLessThan(MAX_PICTURES_BYTES);
    for (const file of files) expect(readFileSync(path.join(PICTURES, file)).subarray(1, 4).toString()).toBe('PNG');
  });

  it.each(pages.flatMap(({ title, filters }) => filters.map((filter) => [filter, title])))(
    'has the filter %s, which the server accepts',
    async (filter) => {
      expect((await temporal.client.workflow.count(filled(filter, names))).count).toBeGreaterThanOrEqual(0);
    },
  );

  it('is checked against a server that rejects wrong filters', async () => {
    await expect(temporal.client.workflow.count("LaunchColour = 'red'")).rejects.toThrow();
  });

  it.each(pages.flatMap(({ commands }) => commands))(
    'has the command %s, which the pinned program knows',
    async (command) => {
      const [, ...words] = command.split(' ');
      const verb = words.slice(0, words.findIndex((word) => word.startsWith('-')) >>> 0);
      const { stdout } = await run(program, [...verb, '--help']);
      for (const [flag] of command.matchAll(/(?<= )--[a-z-]+/g)) expect(stdout).toMatch(new RegExp(`${flag}\\b`));
    },
  );

  it('names the recovery by its id', () => {
    const page = pages.find(({ picture }) => picture === 'pause-the-recovery');
    for (const command of page?.commands ?? []) expect(command).toContain(RECOVERY_WORKFLOW_ID);
  });
});
