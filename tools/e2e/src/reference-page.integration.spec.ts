import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { startHarness, type Harness } from '../../../apps/api-gateway/src/fixtures/gateway.harness.js';
import { openBrowser } from './operating/browser.js';

const USABLE_MS = 2_000;
const STARTS_MS = 120_000;

let gateway: Harness;
let browser: Browser;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([startHarness(), openBrowser()]);
}, STARTS_MS);
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

describe('The reference of the API in a browser', () => {
  it(
    'opens its first operation within two seconds, without a script and without a console error',
    async () => {
      const times: number[] = [];
      // The fastest of three loads counts, because other suites share the processor.
      for (let turn = 0; turn < 3; turn += 1) {
        const page = await browser.newPage();
        const errors: string[] = [];
        page.on('console', (message) => void errors.push(message.text()));
        page.on('pageerror', (error) => void errors.push(String(error)));
        const startedAt = performance.now();
        await page.goto(`${gateway.url}/docs`, { waitUntil: 'load' });
        await page.click('details.operation > summary');
        await page.waitForSelector('details.operation[open] table', { visible: true });
        times.push(performance.now() - startedAt);
        expect(await page.$$eval('details[open]', (open) => open.length)).toBe(1);
        expect(await page.$$eval('script', (scripts) => scripts.length)).toBe(0);
        expect(errors).toEqual([]);
        await page.close();
      }
      expect(Math.min(...times)).toBeLessThan(USABLE_MS);
    },
    STARTS_MS,
  );

  it(
    'opens the operation that a link of the error table leads to',
    async () => {
      const page = await browser.newPage();
      await page.goto(`${gateway.url}/v4/errors`, { waitUntil: 'load' });
      await Promise.all([
        page.waitForNavigation({ waitUntil: 'load' }),
        page.click('a[href="/docs#/Launches/registerTransactionHint"]'),
      ]);
      await page.waitForSelector('[id="/Launches/registerTransactionHint"]', { visible: true });
      expect(await page.$$eval('details[open]', (open) => open.length)).toBe(1);
      await page.close();
    },
    STARTS_MS,
  );
});
