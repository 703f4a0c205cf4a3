import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainExploreSchema } from '@launch/contracts/index';
import type { Browser } from 'puppeteer-core';
import { browserProgram, openBrowser } from '../operating/browser.js';
import { sharedSourceLaunches } from '../stacks/of-the-run.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { SiteTab } from './site-tab.js';

const STARTS_WITHIN_MS = 600_000;
const MEASURES_WITHIN_MS = 300_000;
const LEAST_SCORE = 0.95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const require = createRequire(import.meta.url);
const AXE = require.resolve('axe-core/axe.min.js');
const LIGHTHOUSE = path.join(path.dirname(require.resolve('lighthouse/package.json')), 'cli/index.js');
const VIEWS = [
  { width: 1_280, theme: 'light' },
  { width: 360, theme: 'dark' },
] as const;

let stack: StackAccess;
let browser: Browser;
let coin: string;
beforeAll(async () => {
  stack = await useStack('launches');
  await sharedSourceLaunches();
  browser = await openBrowser();
  const response = await fetch(`${stack.stack.site}/api/explore/chain?pageSize=10`);
  const [first] = chainExploreSchema.parse(await response.json()).items;
  coin = `/coins/${first!.chainId}/${first!.tokenAddress}`;
}, STARTS_WITHIN_MS);
afterAll(() => browser?.close());

/** Every public page, and the signed-out state of the owner's pages. */
const pages = (): readonly string[] => [
  '/',
  '/?q=nothing-has-this-name',
  coin,
  '/coins/1/0x0000000000000000000000000000000000000001',
  '/status',
  '/docs',
  '/docs/guides/custom-launch.md',
  '/docs/api',
  '/docs/errors',
  '/docs/downloads',
  '/docs/changelog',
  '/launches',
  '/author',
  '/wallet/launches/0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a11',
  '/no-such-page',
];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

describe('Every page of the website', () => {
  it.each(VIEWS)(
    'has no violation that axe finds, at $width pixels in the $theme theme',
    async ({ width, theme }) => {
      const axe = await readFile(AXE, 'utf8');
      const found: string[] = [];
      const tab = await SiteTab.open(browser, stack.stack.site);
      await tab.page.setViewport({ width, height: 900 });
      await tab.page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: theme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      for (const page of pages()) {
        await tab.go(page);
        await tab.page.evaluate(axe);
        const { violations } = (await tab.page.evaluate('axe.run()')) as AxeResult;
        found.push(
          ...violations.map(
            ({ id, nodes }) => `${page} ${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
          ),
        );
        const overflow = await tab.page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (overflow !== 0) found.push(`${page} is ${String(overflow)} pixels wider than the window`);
      }
      expect([...found, ...tab.faults]).toEqual([]);
    },
    STARTS_WITHIN_MS,
  );

  it('can be read without JavaScript', async () => {
    const tab = await SiteTab.open(browser, stack.stack.site);
    await tab.page.setJavaScriptEnabled(false);
    for (const page of pages()) {
      await tab.go(page);
      const heading = await tab.page.$eval('h1', (element) => element.textContent);
      expect([page, heading]).toEqual([page, expect.stringMatching(/\S/)]);
    }
  });
});

describe('The pages of buyers', () => {
  it.each([
    ['the list of coins', () => '/'],
    ['a coin', () => coin],
  ])(
    'score at least 95 in Lighthouse: %s',
    async (_name, pathOf) => {
      const url = new URL(pathOf(), stack.stack.site).href;
      const { executablePath, args, env } = await browserProgram();
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          LIGHTHOUSE,
          url,
          `--chrome-flags=--headless ${args.join(' ')}`,
          '--output=json',
          '--quiet',
          `--only-categories=${CATEGORIES.join(',')}`,
        ],
        { maxBuffer: 64 << 20, timeout: MEASURES_WITHIN_MS, env: { ...env, CHROME_PATH: executablePath } },
      );
      const { categories } = JSON.parse(stdout) as {
        readonly categories: Readonly<Record<string, { readonly score: number }>>;
      };
      const scores = CATEGORIES.map((name) => [name, categories[name]!.score] as const);
      expect(scores.filter(([, score]) => score < LEAST_SCORE)).toEqual([]);
    },
    MEASURES_WITHIN_MS,
  );
});
