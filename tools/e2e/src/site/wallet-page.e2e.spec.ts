import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packOnStack } from '@launch/start';
import { createLaunchClient } from '../../../../clients/sdk/src/index.js';
import { userRejected, type BrowserWallet, type WalletRequest } from './browser-wallet.js';
import { FALSIFICATIONS, falsifying } from './falsifications.fixture.js';
import { falsifiedRows } from './falsified-rows.fixture.js';
import { openWalletSuite, rowsOf, type WalletSuite } from './wallet-suite.fixture.js';
import { controllerWallet, type WalletTab } from './wallet-tab.fixture.js';

const STARTS_WITHIN_MS = 600_000;
const ENDS_WITHIN_MS = 300_000;
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');

let suite: WalletSuite;
let launchId: string;
let sent: object;
beforeAll(async () => {
  suite = await openWalletSuite();
  const packed = await packOnStack(suite.stack.stack, BUNDLES);
  sent = JSON.parse(Buffer.from(packed.bytes).toString()) as object;
  const client = createLaunchClient({ baseUrl: suite.stack.gateway, key: suite.key });
  ({ launchId } = await client.submit(packed));
  await client.waitFor(launchId, 'authorized', { timeoutMs: ENDS_WITHIN_MS });
}, STARTS_WITHIN_MS);
afterAll(() => suite?.close());

/** Opens the page of the launch with these wallets. */
const openTab = (wallets?: readonly BrowserWallet[]): Promise<WalletTab> =>
  suite.openTab(`/wallet/launches/${launchId}`, wallets);
const refusing = (answer: (request: WalletRequest) => Promise<unknown> | undefined): BrowserWallet =>
  controllerWallet(suite.stack, { intercept: answer });

describe('A gateway that falsifies a hand-off', () => {
  it(
    'is stopped before the wallet is asked, with the message that the reference states for each field',
    async () => {
      const tab = await openTab();
      const messages = await rowsOf(tab, FALSIFICATIONS, (one) => tab.alter(falsifying(one, sent)));
      expect(tab.asked()).toBe(0);
      expect(await falsifiedRows('Falsified launches')).toEqual(messages);
      tab.alter(
        falsifying(
          FALSIFICATIONS.find(({ field }) => field === 'fee of the creator in the data')!,
          sent,
        ),
      );
      await tab.click('Check again');
      // The fee that the data contain, in the units of a reader.
      await tab.shows('10%');
      tab.alter((_url, body) => body);
      await tab.click('Check again');
      await tab.reaches('ready');
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});

describe('A chain or wallet that falsifies an answer', () => {
  const ANSWERS: readonly { readonly field: string; readonly method: string; readonly answer: unknown }[] = [
    { field: 'code of the router on chain', method: 'eth_getCode', answer: '0x6001' },
    { field: 'absence of the router on chain', method: 'eth_getCode', answer: '0x' },
    { field: 'balance of the account', method: 'eth_getBalance', answer: '0x0' },
  ];

  it(
    'is stopped before the wallet is asked, with the message that the reference states for each answer',
    async () => {
      let falsified: (typeof ANSWERS)[number] | null = null;
      const tab = await openTab([
        refusing(({ method }) => (method === falsified?.method ? Promise.resolve(falsified.answer) : undefined)),
      ]);
      const rows = await rowsOf(tab, ANSWERS, (one) => (falsified = one));
      // Addresses and amounts differ between runs.
      const messages = rows.map((row) =>
        row.replaceAll(/0x[0-9a-f]{40}/g, '`address`').replaceAll(/\d+\.\d+/g, '`amount`'),
      );
      expect(tab.asked()).toBe(0);
      expect(await falsifiedRows('Falsified chain')).toEqual(messages);
      falsified = null;
      await tab.click('Check again');
      await tab.reaches('ready');
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});

describe('The wallet page', () => {
  it(
    'names the wrong chain, asks the wallet to switch, and goes on',
    async () => {
      let chainId = '0x1';
      const tab = await openTab([
        refusing(({ method }) => {
          if (method === 'wallet_switchEthereumChain') chainId = '0x1237';
          return method === 'eth_chainId' ? Promise.resolve(chainId) : undefined;
        }),
      ]);
      await tab.signIn('Test wallet');
      await tab.reaches('obstructed');
      expect((await tab.obstacles()).map(({ id }) => id)).toEqual(['chain']);
      await tab.click('Switch the wallet to chain 4663');
      await tab.reaches('ready');
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'names the account of the launch when the wallet selects another',
    async () => {
      let account: string | null = null;
      const tab = await openTab([
        refusing(({ method }) =>
          method === 'eth_accounts' && account !== null ? Promise.resolve([account]) : undefined,
        ),
      ]);
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      account = `0x${'12'.repeat(20)}`;
      await tab.emit('example.wallet', 'accountsChanged', [account]);
      await tab.reaches('obstructed');
      expect((await tab.obstacles()).map(({ id }) => id)).toEqual(['account']);
      expect(await tab.text()).toContain(suite.stack.controller);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'tells two wallets of one name apart, and asks the chosen one only',
    async () => {
      const [first, second] = ['example.first', 'example.second'].map((rdns) =>
        controllerWallet(suite.stack, { rdns }),
      );
      const tab = await openTab([first!, second!]);
      await tab.signIn('example.second');
      await tab.reaches('ready');
      const signed = tab.wallets.map(
        ({ requests }) => requests.filter(({ method }) => method === 'personal_sign').length,
      );
      expect(signed).toEqual([0, 1]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'returns to the review after a rejected signature',
    async () => {
      const tab = await openTab([
        refusing(({ method }) => (method === 'eth_sendTransaction' ? Promise.reject(userRejected()) : undefined)),
      ]);
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      await tab.click('Sign and send');
      await tab.shows('You declined the request in the wallet.');
      expect([await tab.reaches('ready'), tab.asked()]).toEqual(['ready', 1]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'blocks a hand-off that expires while the page is open',
    async () => {
      const tab = await openTab();
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      await tab.page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 86_400_000;
      });
      await tab.reaches('obstructed');
      expect([(await tab.obstacles()).map(({ id }) => id), tab.asked()]).toEqual([['expired'], 0]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'says that a provider fails, and reads again when it works',
    async () => {
      let isDown = true;
      const tab = await openTab([
        refusing(({ method }) =>
          isDown && method === 'eth_getBalance' ? Promise.reject(new Error('the node is down')) : undefined,
        ),
      ]);
      await tab.signIn('Test wallet');
      await tab.reaches('unread');
      expect(await tab.text()).toContain('the node is down');
      isDown = false;
      await tab.click('Check again');
      await tab.reaches('ready');
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'follows the sent transaction to finality across a reload, and sends it once',
    async () => {
      const tab = await openTab();
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      await tab.click('Sign and send');
      await tab.reaches('following', 'done');
      await tab.page.reload();
      await tab.signIn('Test wallet');
      await tab.reaches('done');
      expect(await tab.text()).toContain('The launch is final.');
      expect([tab.asked(), tab.wallets[0]!.sent.length]).toEqual([1, 1]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});
