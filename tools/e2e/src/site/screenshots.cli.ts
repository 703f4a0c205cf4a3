// `screenshots.cli.ts FOLDER [PATTERN]`: takes a picture of every page of the website in its states, in two themes and at two widths.
// It needs the running stack of `npm start -- --all`, makes launches and submits modules there, and signs in as its controller.
// PATTERN selects pictures by their names.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { stackSchema } from '@launch/start';
import type { Browser } from 'puppeteer-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from 'viem';
import { openBrowser } from '../operating/browser.js';
import { ALTERATIONS, startAlteredSite, type Alteration } from './altered-site.js';
import { installWallet } from './browser-wallet.js';
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
  type SiteView,
} from './site-views.js';

const WALLET = 'Test Wallet';
/** Chromium draws no picture of more pixels in one direction. */
const HIGHEST = 8_000;
const root = path.resolve(import.meta.dirname, '../../../..');
const bundles = path.join(root, 'clients', 'multi-role', 'bundles');
const [folderGiven, pattern = ''] = process.argv.slice(2);
if (folderGiven === undefined) throw new Error('usage: npm run site:screenshots -- FOLDER [PATTERN]');
const folder = path.resolve(folderGiven);
const wanted = new RegExp(pattern);
const dataDir = path.resolve(root, process.env['LAUNCH_DATA_DIR'] || '.data');
const stack = stackSchema.parse(JSON.parse(await readFile(path.join(dataDir, 'stack.json'), 'utf8')));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function take(tab: SiteTab, name: string): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await tab.view(viewport);
    const height = (await tab.page.evaluate('document.documentElement.scrollHeight')) as number;
    await tab.page.screenshot({
      path: path.join(folder, `${name}.${viewport.width}.${viewport.theme}.png`) as `${string}.png`,
      clip: { x: 0, y: 0, width: viewport.width, height: Math.min(height, HIGHEST) },
      captureBeyondViewport: true,
    });
  }
  say(name);
}

async function takePublic(browser: Browser, origin: string, views: readonly SiteView[], prefix = ''): Promise<void> {
  const tab = await SiteTab.open(browser, origin);
  for (const { name, path: page, isOpened } of views) {
    if (!wanted.test(prefix + name)) continue;
    await tab.go(page);
    if (isOpened) await tab.openAll();
    await take(tab, prefix + name);
  }
  await tab.page.close();
}

/** Opens a tab with the wallet of a key. */
async function tabWith(browser: Browser, key: Hex): Promise<SiteTab> {
  const tab = await SiteTab.open(browser, stack.site);
  const rpcUrl = stack.rpc['4663'][0]!;
  await installWallet(tab.page, { name: WALLET, rdns: 'example.wallet', account: privateKeyToAccount(key), rpcUrl });
  return tab;
}

async function takeSignedIn(tab: SiteTab, views: readonly SiteView[]): Promise<void> {
  for (const { name, path: page, shows } of views) {
    if (!wanted.test(name)) continue;
    await tab.follow(page);
    if (shows !== undefined) await tab.shows(shows);
    await take(tab, name);
  }
}

async function takeLauncher(browser: Browser, desk: OwnersDesk, key: Hex): Promise<void> {
  const tab = await tabWith(browser, key);
  const launches = await desk.makeLaunches();
  await tab.go('/launches');
  await tab.shows('Connect');
  await take(tab, 'launches-signed-out');
  await tab.signIn(WALLET);
  await takeSignedIn(tab, launcherViews(launches));
  await tab.alterAnswers(stack.gateway, ALTERATIONS.down);
  await tab.follow('/launches');
  await tab.shows('does not answer');
  await take(tab, 'launches-down');
  await tab.follow(`/launches/${launches.waiting}`);
  await tab.shows('does not answer');
  await take(tab, 'launch-down');
  await tab.alterAnswers(stack.gateway, (body) => body.replace(/("walletTransaction":\{[^}]*"value":")\d+/, '$17'));
  await tab.follow(`/wallet/launches/${launches.waiting}`);
  await tab.page.waitForSelector('[data-flow="refused"]', { timeout: 60_000 });
  await take(tab, 'wallet-blocked');
  await tab.alterAnswers(stack.gateway, null);
  await tab.follow(`/launches/${launches.waiting}`);
  await tab.follow(`/wallet/launches/${launches.waiting}`);
  await tab.press('Sign and send');
  await tab.page.waitForSelector('[data-flow="sent"], [data-flow="following"]', { timeout: 60_000 });
  await take(tab, 'wallet-sent');
  await tab.follow(`/launches/${launches.waiting}`);
  await tab.shows('Your next step');
  await take(tab, 'launch-sent');
  await tab.page.close();
}

async function takeAuthor(browser: Browser, desk: OwnersDesk, key: Hex): Promise<void> {
  const submissions = await desk.submitModules();
  const tab = await tabWith(browser, key);
  await tab.go('/author');
  await tab.shows('Connect');
  await take(tab, 'author-signed-out');
  await tab.signIn(WALLET);
  await takeSignedIn(tab, authorViews(submissions));
  await tab.page.close();
}

/** The pages of a wallet that has launched and submitted nothing. */
async function takeNewcomer(browser: Browser): Promise<void> {
  const tab = await tabWith(browser, generatePrivateKey());
  for (const [page, name, shows] of [
    ['/launches', 'launches-empty', 'no launch yet'],
    ['/author', 'author-empty', 'no module'],
  ] as const) {
    await tab.go(page);
    await tab.signIn(WALLET);
    await tab.shows(shows);
    await take(tab, name);
  }
  await tab.page.close();
}

await mkdir(folder, { recursive: true });
const coins = await shownCoins(stack);
const family = await linkOn(stack.site, '/modules', '/modules/');
const release = await linkOn(stack.site, '/modules', '/releases/');
const browser = await openBrowser();
try {
  await takePublic(browser, stack.site, publicViews(coins, family, release));
  for (const alteration of Object.keys(ALTERATIONS) as Alteration[]) {
    if (!wanted.test(`altered-${alteration}`)) continue;
    const site = await startAlteredSite(stack, alteration);
    try {
      await takePublic(browser, site.origin, alteredViews(coins, release), `altered-${alteration}-`);
    } finally {
      await site.close();
    }
  }
  const key = (await readFile(stack.controller!.privateKeyFile, 'utf8')).trim() as Hex;
  if (wanted.test('wallet') || wanted.test('launch'))
    await takeLauncher(browser, await OwnersDesk.open(stack, bundles), key);
  if (wanted.test('author')) await takeAuthor(browser, await OwnersDesk.open(stack, bundles), key);
  if (wanted.test('empty')) await takeNewcomer(browser);
} finally {
  await browser.close();
}
