import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { packOnStack, type PackedOnStack } from '@launch/start';
import type { Browser } from 'puppeteer-core';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { createLaunchClient, type LaunchClient } from '../../../../clients/sdk/src/index.js';
import { openBrowser } from '../operating/browser.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { installWallet, type InstalledWallet } from './browser-wallet.js';
import { SiteTab } from './site-tab.js';

const STARTS_WITHIN_MS = 300_000;
const FINAL_WITHIN_MS = 120_000;
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');

let stack: StackAccess;
let browser: Browser;
let account: PrivateKeyAccount;
let client: LaunchClient;
let packed: PackedOnStack;
let launchId: string;
beforeAll(async () => {
  stack = await useStack('launches');
  const key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  client = createLaunchClient({ baseUrl: stack.gateway, key });
  account = privateKeyToAccount((await readFile(stack.stack.controller!.privateKeyFile, 'utf8')).trim() as Hex);
  packed = await packOnStack(stack.stack, BUNDLES);
  ({ launchId } = await client.submit(packed));
  browser = await openBrowser();
}, STARTS_WITHIN_MS);
afterAll(() => browser?.close());

describe('A controller on the website', () => {
  let tab: SiteTab;
  let wallet: InstalledWallet;
  beforeAll(async () => {
    tab = await SiteTab.open(browser, stack.stack.site);
    const rpcUrl = stack.stack.rpc['4663'][0]!;
    wallet = await installWallet(tab.page, { name: 'Test Wallet', rdns: 'example.wallet', account, rpcUrl });
    await client.waitFor(launchId, 'authorized');
  }, STARTS_WITHIN_MS);

  it('connects a wallet and signs in', async () => {
    const request = sha256Digest(packed.bytes).slice('sha256:'.length);
    await tab.go(`/wallet/launches/${launchId}#request=${request}`);
    await tab.press('Connect Test Wallet');
    await tab.press('Sign in');
    await tab.shows('Signed in as');
    expect(wallet.requests.map(({ method }) => method)).toContain('personal_sign');
  });

  it('reviews values that the browser recomputed, before the wallet is asked to send', async () => {
    await tab.shows('Every value agrees with your request');
    await tab.shows('You pay');
    await tab.shows('Can never be withdrawn');
    expect(wallet.sent).toEqual([]);
  });

  it('signs, sends and follows the launch until it is final', async () => {
    await tab.press('Sign and send in the wallet');
    await tab.page.waitForSelector('[data-flow="done"]', { timeout: FINAL_WITHIN_MS });
    expect(wallet.sent).toHaveLength(1);
    const resource = await client.waitFor(launchId, 'finalized');
    expect(resource.transactions.map(({ transactionHash }) => transactionHash)).toContain(wallet.sent[0]);
  });

  it('opens the page of the launch without a fault of a script or of the policy on any page', async () => {
    await tab.go(`/launches/${launchId}`);
    expect(tab.faults).toEqual([]);
  });
});
