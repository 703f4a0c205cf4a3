import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';
import { CONTENT_SECURITY_POLICY } from '../../../../apps/api-gateway/src/products/reviewer/http/console/layout.page.js';
import { submissionPage } from '../../../../apps/api-gateway/src/products/reviewer/http/console/console.pages.js';
import { found, page as reviewPage } from '../../../../apps/api-gateway/src/fixtures/review-page.fixture.js';
import { openBrowser } from '../operating/browser.js';

const CONSOLE = path.resolve(import.meta.dirname, '../../../../apps/api-gateway/console');
const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' };
/** A red and a green square of one pixel. */
const ICONS = ['#c00', '#0a0'].map(
  (colour) =>
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="${colour}"/></svg>`)}`,
);

interface Announced {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
  readonly rdns: string;
  /** The account that the provider returns. */
  readonly account: string;
}

let server: Server;
let origin: string;
let browser: Browser;
beforeAll(async () => {
  server = createServer((request, response) => {
    const asset = request.url?.startsWith('/assets/') === true ? path.basename(request.url) : null;
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    response.setHeader('content-type', asset === null ? 'text/html' : TYPES[path.extname(asset)]!);
    response.end(asset === null ? submissionPage(reviewPage(), found([])) : readFileSync(path.join(CONSOLE, asset)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a submission's page in a browser in which these wallets announce themselves, one after the other. */
async function openWith(wallets: readonly Announced[]): Promise<Page> {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(`(() => {
    window.asked = [];
    const wallets = ${JSON.stringify(wallets)};
    const announce = () => {
      for (const { account, ...info } of wallets) {
        const provider = { request: async ({ method }) => { window.asked.push(account + ' ' + method); throw new Error('The wallet refuses.'); } };
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
      }
    };
    addEventListener('eip6963:requestProvider', announce);
  })()`);
  await page.goto(origin);
  return page;
}

const listed = (page: Page): Promise<unknown> =>
  page.$$eval('#wallets label', (labels) =>
    labels.map((label) => ({
      name: label.querySelector('.name')?.textContent,
      rdns: label.querySelector('.rdns')?.textContent,
      icon: label.querySelector('img')?.getAttribute('src') ?? null,
      isShown: (label.querySelector('img') as unknown as { naturalWidth: number } | null)?.naturalWidth ?? 0,
    })),
  );

async function signWith(page: Page, uuid: string): Promise<unknown> {
  await page.click('input[value=reject]');
  await page.type('#reason', 'It fails.');
  await page.click(`input[name=wallet][value="${uuid}"]`);
  await page.click('#decide button[type=submit]');
  await page.waitForFunction(`document.getElementById('notice').textContent === 'The wallet refuses.'`);
  return page.evaluate('window.asked');
}

describe('the wallets of a browser', () => {
  const first: Announced = { uuid: 'a1', name: 'Wallet', icon: ICONS[0]!, rdns: 'com.first', account: 'first' };
  const second: Announced = { uuid: 'b2', name: 'Wallet', icon: ICONS[1]!, rdns: 'com.second', account: 'second' };

  it('are all listed with icon and domain although they have one name, and only the chosen one is asked', async () => {
    const page = await openWith([first, second]);
    await page.waitForFunction(`[...document.querySelectorAll('#wallets img')].every(({ complete }) => complete)`);
    expect(await listed(page)).toEqual([
      { name: 'Wallet', rdns: 'com.first', icon: ICONS[0], isShown: expect.any(Number) },
      { name: 'Wallet', rdns: 'com.second', icon: ICONS[1], isShown: expect.any(Number) },
    ]);
    expect((await listed(page)) as { isShown: number }[]).not.toContainEqual(expect.objectContaining({ isShown: 0 }));
    expect(await page.$('input[name=wallet]:checked')).toBeNull();
    expect(await signWith(page, 'a1')).toEqual(['first eth_requestAccounts']);
    await page.close();
  });

  it('keep their place when another announces their uuid', async () => {
    const page = await openWith([first, { ...second, uuid: first.uuid }]);
    expect(await listed(page)).toMatchObject([{ rdns: 'com.first' }]);
    expect(await signWith(page, 'a1')).toEqual(['first eth_requestAccounts']);
    await page.close();
  });

  it('show no icon from another origin, and their names are text', async () => {
    const name = '<img src=x onerror="document.title = 1">';
    const page = await openWith([
      { ...first, name, icon: 'https://elsewhere.example/icon.png' },
      { ...second, icon: `${ICONS[0]!}${'x'.repeat(1_000_000)}` },
    ]);
    expect(await listed(page)).toMatchObject([
      { name, icon: null },
      { name: 'Wallet', icon: null },
    ]);
    await page.close();
  });
});
