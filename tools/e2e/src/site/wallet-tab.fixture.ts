import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '@launch/contracts/primitives';
import type { Browser, Page } from 'puppeteer-core';
import { privateKeyToAccount } from 'viem/accounts';
import type { StackAccess } from '../stacks/own-stack.js';
import { installWallet, type BrowserWallet, type InstalledWallet, type WalletRequest } from './browser-wallet.js';

const PATIENCE_MS = 120_000;

/** Alters the body of an answer. */
export type Falsify = (url: string, body: Buffer) => Buffer | Promise<Buffer>;

/** An element of the page. */
interface Shown {
  readonly innerText: string;
}

/** An obstacle as the wallet page shows it. */
export interface ShownObstacle {
  readonly id: string;
  readonly text: string;
}

/** Returns the wallet of the stack's controller. */
export function controllerWallet(stack: StackAccess, change: Partial<BrowserWallet> = {}): BrowserWallet {
  const { privateKeyFile } = stack.stack.controller!;
  return {
    name: 'Test wallet',
    rdns: 'example.wallet',
    account: privateKeyToAccount(readFileSync(privateKeyFile, 'utf8').trim() as Hex),
    rpcUrl: stack.stack.rpc['4663'][0]!,
    ...change,
  };
}

/** A tab at the wallet page. Its requests go to the real service, through `falsify` where a test alters answers. */
export class WalletTab {
  private falsify: Falsify | null = null;

  private constructor(
    private readonly site: string,
    private readonly gateway: string,
    readonly page: Page,
    readonly wallets: readonly InstalledWallet[],
  ) {}

  static async open(browser: Browser, stack: StackAccess, wallets: readonly BrowserWallet[]): Promise<WalletTab> {
    const page = await browser.newPage();
    const installed: InstalledWallet[] = [];
    for (const wallet of wallets) installed.push(await installWallet(page, wallet));
    const tab = new WalletTab(stack.stack.site, stack.gateway, page, installed);
    await tab.watch();
    return tab;
  }

  /** Alters the service's answers to reads from now on. */
  alter(falsify: Falsify): void {
    this.falsify = falsify;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.site}${path}`, { waitUntil: 'domcontentloaded', timeout: PATIENCE_MS });
  }

  /** Connects the wallet whose entry has this text, and signs in. */
  async signIn(wallet: string): Promise<void> {
    await this.click(wallet);
    await this.click('Sign in');
    await this.page.waitForSelector('[data-flow]', { timeout: PATIENCE_MS });
  }

  /** Clicks the button that has this text. */
  async click(text: string): Promise<void> {
    await this.page.locator(`::-p-xpath(//button[contains(., "${text}")])`).setTimeout(PATIENCE_MS).click();
  }

  /** Waits for a state of the page. @throws Error with the text of the page */
  async reaches(...states: readonly string[]): Promise<string> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) {
      const state = await this.page
        .$eval('[data-flow]', (element) => element.getAttribute('data-flow'))
        .catch(() => null);
      if (state !== null && states.includes(state)) return state;
    }
    throw new Error(`the page is not ${states.join(' or ')}, but shows\n${(await this.text()).slice(0, 3_000)}`);
  }

  obstacles(): Promise<readonly ShownObstacle[]> {
    return this.page.$$eval('[data-obstacle]', (elements) =>
      elements.map((element) => ({
        id: element.getAttribute('data-obstacle') ?? '',
        text: (element.querySelector('p') as unknown as Shown).innerText,
      })),
    );
  }

  /** Returns the sentences by which the page refuses: its obstacles, or the reason why there is nothing to review. */
  async message(): Promise<string> {
    const obstacles = await this.obstacles();
    if (obstacles.length > 0) return obstacles.map(({ text }) => text).join(' ');
    return this.page.$eval('[role="alert"] div p', (element) => (element as unknown as Shown).innerText);
  }

  /** Returns the exact value of a fact that the page shows; null without it. */
  fact(id: string): Promise<string | null> {
    return this.page.$eval(`[data-fact="${id}"] data`, (element) => element.getAttribute('value')).catch(() => null);
  }

  /** Waits until a fact has a value. */
  async showsFact(id: string, value: string): Promise<void> {
    await this.page.waitForSelector(`[data-fact="${id}"] data[value="${value}"]`, { timeout: PATIENCE_MS });
  }

  /** Returns the steps of a plan in the order of the page. */
  steps(): Promise<readonly string[]> {
    return this.page.$$eval('[data-step]', (elements) =>
      elements.map((element) => element.getAttribute('data-step') ?? ''),
    );
  }

  /** Waits until the page shows a text. */
  async shows(text: string): Promise<void> {
    await this.page.waitForSelector(`::-p-text(${text})`, { timeout: PATIENCE_MS });
  }

  /** Makes a wallet report a change. */
  async emit(rdns: string, event: string, value: unknown): Promise<void> {
    const name = `wallet_${rdns.replaceAll(/\W/g, '_')}_emit`;
    await this.page.evaluate(
      (bridge, ...change) =>
        (globalThis as unknown as Record<string, (...change: readonly unknown[]) => void>)[bridge]!(...change),
      name,
      event,
      value,
    );
  }

  text(): Promise<string> {
    return this.page.$eval('main', (element) => (element as unknown as Shown).innerText);
  }

  /** Requests for a signature of a transaction, in all wallets. */
  asked(): number {
    const asks = ['eth_sendTransaction', 'wallet_sendCalls', 'eth_signTransaction', 'eth_sign'];
    return asks.flatMap((method) => this.requests(method)).length;
  }

  /** Returns the requests of one method, in all wallets, oldest first. */
  requests(method: string): readonly WalletRequest[] {
    return this.wallets.flatMap(({ requests }) => requests).filter((request) => request.method === method);
  }

  /** Waits until the wallets sent this many transactions. */
  async sends(count: number): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100))
      if (this.wallets.flatMap(({ sent }) => sent).length >= count) return;
    throw new Error(`the wallets did not send ${count} transactions; the page shows\n${await this.text()}`);
  }

  close(): Promise<void> {
    return this.page.close();
  }

  /** Answers in place of the service: the proxy that falsifies. */
  private async watch(): Promise<void> {
    await this.page.setRequestInterception(true);
    this.page.on('request', (request) => {
      const url = request.url();
      if (this.falsify === null || request.method() !== 'GET' || !url.startsWith(this.gateway)) {
        void request.continue();
        return;
      }
      void this.answer(request.url(), request.headers()).then(
        (answer) => request.respond(answer),
        () => request.abort(),
      );
    });
  }

  private async answer(url: string, headers: Record<string, string>) {
    const response = await fetch(url, { headers: { ...headers, origin: this.site } });
    const body = Buffer.from(await response.arrayBuffer());
    const kept = [...response.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer-encoding)$/.test(name),
    );
    return {
      status: response.status,
      headers: Object.fromEntries(kept),
      body: response.ok ? await this.falsify!(url, body) : body,
    };
  }
}
