import type { Browser } from 'puppeteer-core';
import { openBrowser } from '../operating/browser.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import type { BrowserWallet } from './browser-wallet.js';
import { signInKey } from './sign-in-key.fixture.js';
import { controllerWallet, WalletTab } from './wallet-tab.fixture.js';

/** The product with the website, a browser, and a controller who signed in as a program too. */
export interface WalletSuite {
  readonly stack: StackAccess;
  /** The key of the controller's program. */
  readonly key: string;
  /** Opens a page with these wallets, by default with the controller's. */
  openTab(path: string, wallets?: readonly BrowserWallet[]): Promise<WalletTab>;
  close(): Promise<void>;
}

export async function openWalletSuite(): Promise<WalletSuite> {
  const stack = await useStack('launches');
  const key = await signInKey(stack.gateway, controllerWallet(stack).account);
  const browser: Browser = await openBrowser();
  return {
    stack,
    key,
    openTab: async (path, wallets = [controllerWallet(stack)]) => {
      const tab = await WalletTab.open(browser, stack, wallets);
      await tab.go(path);
      return tab;
    },
    close: () => browser.close(),
  };
}

/**
 * Applies one falsification after the other to the page of a tab that has not signed in. Returns the field, the state and the
 * message of each, as the reference has them.
 */
export async function rowsOf<One extends { readonly field: string }>(
  tab: WalletTab,
  falsifications: readonly One[],
  falsify: (one: One) => void,
): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const one of falsifications) {
    falsify(one);
    if (rows.length === 0) await tab.signIn('Test wallet');
    else await tab.click('Check again');
    const state = await tab.reaches('refused', 'unread', 'ready', 'obstructed');
    rows.push(`| ${one.field} | ${state} | ${await tab.message()} |`);
  }
  return rows;
}
