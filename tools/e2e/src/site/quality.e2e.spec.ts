import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from 'viem';
import { openBrowser } from '../operating/browser.js';
import { sharedSourceLaunches } from '../stacks/of-the-run.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { ALTERATIONS, startAlteredSite, type Alteration } from './altered-site.js';
import { installWallet } from './browser-wallet.js';
import type { PageScores } from './measure-page.cli.js';
import { OwnersDesk } from './owners-desk.js';
import { SiteTab } from './site-tab.js';
import {
  alteredViews,
  authorViews,
  launcherViews,
  linkOn,
  publicViews,
  shownCoins,
  VIEWPORTS,
  type ShownCoins,
  type SiteView,
} from './site-views.js';

const STARTS_WITHIN_MS = 600_000;
const CHECKS_WITHIN_MS = 900_000;
const MEASURES_WITHIN_MS = 300_000;
const LEAST_SCORE = 0.95;
/** A measurement says what a page can reach on a machine that other suites use; a slow page reaches it in none. */
const MEASUREMENTS = 3;
const WALLET = 'Test Wallet';
const ROOT = path.resolve(import.meta.dirname, '../../../..');
const BUNDLES = path.join(ROOT, 'clients/multi-role/bundles');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const MEASURE = [
  '--no-warnings',
  '--conditions=@launch/source',
  '--import',
  path.join(ROOT, 'tools/source-hooks.mjs'),
  path.join(import.meta.dirname, 'measure-page.cli.ts'),
];

let stack: StackAccess;
let browser: Browser;
let axe: string;
let coins: ShownCoins;
let release: string;
let pages: readonly SiteView[];
beforeAll(async () => {
  stack = await useStack('launches');
  await sharedSourceLaunches();
  browser = await openBrowser();
  axe = await readFile(AXE, 'utf8');
  coins = await shownCoins(stack.stack);
  release = await linkOn(stack.stack.site, '/modules', '/releases/');
  pages = publicViews(coins, await linkOn(stack.stack.site, '/modules', '/modules/'), release);
}, STARTS_WITHIN_MS);
afterAll(() => browser?.close());

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** Returns what axe finds on the page in each window and theme, with everything open, and where the page is wider than the window. */
async function faultsOf(tab: SiteTab, name: string): Promise<readonly string[]> {
  await tab.openAll();
  await tab.page.evaluate(axe);
  const found: string[] = [];
  for (const viewport of VIEWPORTS) {
    const place = `${name} at ${viewport.width}, ${viewport.theme}:`;
    await tab.view(viewport);
    const { violations } = (await tab.page.evaluate('axe.run()')) as AxeResult;
    found.push(
      ...violations.map(({ id, nodes }) => `${place} ${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    );
    const excess = await tab.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (excess !== 0) found.push(`${place} ${String(excess)} pixels wider than the window`);
  }
  return found;
}

async function faultsOfPublic(origin: string, views: readonly SiteView[]): Promise<readonly string[]> {
  const tab = await SiteTab.open(browser, origin);
  const found: string[] = [];
  for (const { name, path: page } of views) {
    await tab.go(page);
    found.push(...(await faultsOf(tab, name)));
  }
  await tab.page.close();
  return [...found, ...tab.faults];
}

/** Opens a page of owners in a tab with a wallet, and returns the faults of the page before the visitor signs in. */
async function tabOf(key: Hex, page: string): Promise<readonly [SiteTab, readonly string[]]> {
  const tab = await SiteTab.open(browser, stack.stack.site);
  const rpcUrl = stack.stack.rpc['4663'][0]!;
  await installWallet(tab.page, { name: WALLET, rdns: 'example.wallet', account: privateKeyToAccount(key), rpcUrl });
  await tab.go(page);
  await tab.shows('Connect');
  const found = await faultsOf(tab, `${page} before signing in`);
  await tab.signIn(WALLET);
  return [tab, found];
}

async function faultsOfSignedIn(tab: SiteTab, views: readonly SiteView[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, path: page, shows } of views) {
    await tab.follow(page);
    if (shows !== undefined) await tab.shows(shows);
    found.push(...(await faultsOf(tab, name)));
  }
  return found;
}

const controllerKey = async (): Promise<Hex> =>
  (await readFile(stack.stack.controller!.privateKeyFile, 'utf8')).trim() as Hex;

describe('Axe and the width of the window', () => {
  it(
    'find no fault on a public page',
    async () => {
      expect(await faultsOfPublic(stack.stack.site, pages)).toEqual([]);
    },
    CHECKS_WITHIN_MS,
  );

  it.each(Object.keys(ALTERATIONS) as Alteration[])(
    'find no fault on a public page while the service is %s',
    async (alteration) => {
      const site = await startAlteredSite(stack.stack, alteration);
      try {
        expect(await faultsOfPublic(site.origin, alteredViews(coins, release))).toEqual([]);
      } finally {
        await site.close();
      }
    },
    CHECKS_WITHIN_MS,
  );

  it(
    'find no fault on a page of launchers and on the wallet page, in any state and while the service is down',
    async () => {
      const launches = await (await OwnersDesk.open(stack.stack, BUNDLES)).makeLaunches();
      const [tab, found] = await tabOf(await controllerKey(), '/launches');
      const signedIn = await faultsOfSignedIn(tab, launcherViews(launches));
      await tab.alterAnswers(stack.gateway, ALTERATIONS.down);
      const down = { shows: 'does not answer' };
      const unread = await faultsOfSignedIn(tab, [
        { name: 'launches without the service', path: '/launches', ...down },
        { name: 'launch without the service', path: `/launches/${launches.waiting}`, ...down },
      ]);
      expect([...found, ...signedIn, ...unread, ...tab.faults]).toEqual([]);
    },
    CHECKS_WITHIN_MS,
  );

  it(
    'find no fault on a page of module authors, in any state of a review',
    async () => {
      const desk = await OwnersDesk.open(stack.stack, BUNDLES);
      const submissions = await desk.submitModules();
      const [tab, found] = await tabOf(await controllerKey(), '/author');
      const signedIn = await faultsOfSignedIn(tab, authorViews(submissions));
      expect([...found, ...signedIn, ...tab.faults]).toEqual([]);
    },
    CHECKS_WITHIN_MS,
  );

  it(
    'find no fault on the pages of a wallet that has no launch and no module',
    async () => {
      const key = generatePrivateKey();
      const [tab, found] = await tabOf(key, '/launches');
      const launches = await faultsOfSignedIn(tab, [{ name: 'no launch', path: '/launches', shows: 'no launch yet' }]);
      const [author, asked] = await tabOf(key, '/author');
      const modules = await faultsOfSignedIn(author, [{ name: 'no module', path: '/author', shows: 'no module yet' }]);
      expect([...found, ...launches, ...asked, ...modules, ...tab.faults, ...author.faults]).toEqual([]);
    },
    CHECKS_WITHIN_MS,
  );
});

describe('A browser without JavaScript', () => {
  it(
    'shows every page',
    async () => {
      const tab = await SiteTab.open(browser, stack.stack.site);
      await tab.page.setJavaScriptEnabled(false);
      for (const page of [...pages.map(({ path: one }) => one), '/launches', '/author']) {
        await tab.go(page);
        const heading = await tab.page.$eval('h1', (element) => element.textContent);
        expect([page, heading]).toEqual([page, expect.stringMatching(/\S/)]);
      }
    },
    CHECKS_WITHIN_MS,
  );
});

describe('The pages of buyers', () => {
  it.each([
    ['the list of coins', () => '/'],
    ['a coin', () => coins.stamped],
  ])(
    'score at least 95 in Lighthouse: %s',
    async (_name, pathOf) => {
      const url = new URL(pathOf(), stack.stack.site).href;
      const missed: (readonly string[])[] = [];
      while (missed.length < MEASUREMENTS) {
        const { stdout } = await promisify(execFile)(process.execPath, [...MEASURE, url], {
          timeout: MEASURES_WITHIN_MS,
          env: { ...process.env, NODE_OPTIONS: '' },
        });
        const { scores, failed } = JSON.parse(stdout) as PageScores;
        expect(Object.keys(scores)).toHaveLength(3);
        const low = Object.entries(scores).filter(([, score]) => score < LEAST_SCORE);
        if (low.length === 0) return;
        missed.push([...low.map(([category, score]) => `${category} is ${score}`), ...failed]);
      }
      expect(missed).toEqual([]);
    },
    MEASUREMENTS * MEASURES_WITHIN_MS,
  );
});
