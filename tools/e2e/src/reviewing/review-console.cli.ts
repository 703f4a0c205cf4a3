// `review-console.cli.ts [folder for pictures]`: reviews modules in a headless Chromium against the running product. One reviewer accepts,
// one asks for changes, the author's wallet is refused, and a file of HTML and script stays text.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { openBrowser } from '../operating/browser.js';
import { startE2eStack } from '../stacks/own-stack.js';
import { MODULE_SOURCE, openReviewDesk, type Draft, type ReviewDesk } from '../fixtures/reviewed-module.fixture.js';

const PATIENCE_MS = 180_000;
const HOSTILE = `<script>document.title = 'owned'</script>\n<img src=x onerror="document.title = 'owned'">\nbidi \u202e here\n`;
const FILES = { 'src/FeeModule.sol': MODULE_SOURCE, 'page.html': HOSTILE };
const folder = process.argv[2];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const browsers: Browser[] = [];

type Request = { readonly method: string; readonly params?: readonly string[] };

/** A browser of a reviewer's own, with its wallet: the Chromium of the package has one process, and so one session. */
async function openConsole(desk: ReviewDesk, origin: string, account: PrivateKeyAccount): Promise<Page> {
  const browser = await openBrowser();
  browsers.push(browser);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.exposeFunction('walletAnswers', async ({ method, params = [] }: Request) => {
    if (method === 'eth_requestAccounts') return [account.address];
    assert.equal(method, 'eth_signTypedData_v4');
    return account.signTypedData(JSON.parse(params[1]!) as Parameters<typeof account.signTypedData>[0]);
  });
  // A wallet that announces itself as EIP-6963 has it.
  await page.evaluateOnNewDocument(`(() => {
    const provider = { request: (asked) => window.walletAnswers(asked) };
    const detail = Object.freeze({ info: { uuid: '1', name: 'Test wallet', icon: '', rdns: 'example.wallet' }, provider });
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    addEventListener('eip6963:requestProvider', announce);
    announce();
  })()`);
  await page.goto(origin);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await picture(page, 'sign-in');
  await page.type('#key', desk.reviewerKey);
  await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
  assert.equal(new URL(page.url()).pathname, '/');
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/** Decides on a submission's page. @returns what the page says then. */
async function decide(page: Page, origin: string, draft: Draft, outcome: string): Promise<string> {
  await page.goto(`${origin}/submissions/${draft.submissionId}`);
  await page.click(`input[value=${outcome}]`);
  await page.type('#reason', 'Read and understood.');
  await page.click('#decide button[type=submit]');
  await page.waitForFunction(`!['', 'The wallet is asked…'].includes(document.getElementById('told').textContent)`);
  await picture(page, `decided-${outcome}`);
  return (await page.$eval('#told', (told) => told.textContent)) ?? '';
}

const stack = await startE2eStack({ without: [] });
try {
  const desk = await openReviewDesk(stack);
  const origin = stack.stack.reviewer;
  const [first, second] = desk.reviewers as [PrivateKeyAccount, PrivateKeyAccount];
  const [sound, early, own] = [
    await desk.submit({ files: FILES }),
    await desk.submit({ files: FILES }),
    await desk.submit({ files: FILES, author: second.address.toLowerCase() }),
  ];
  await desk.started(sound);
  assert.equal((await desk.change('PUT', sound, 'plan', 0, desk.plan(sound))).status, 200);
  await desk.until(sound, 'built');
  await Promise.all([early, own].map((draft) => desk.started(draft)));

  const page = await openConsole(desk, origin, first);
  await page.waitForSelector(`a[href="/submissions/${sound.submissionId}"]`);
  await picture(page, 'queue');
  await page.goto(`${origin}/submissions/${sound.submissionId}`);
  await picture(page, 'submission');
  const file = await page.$$eval('a', (links) => links.find((link) => link.textContent === 'page.html')?.href ?? '');
  await page.goto(file);
  const shown = await page.$eval('.source', (source) => (source as unknown as { innerText: string }).innerText);
  assert.ok(shown.includes(`<script>document.title = 'owned'</script>`) && shown.includes('U+202E'));
  assert.equal(await page.$('.source img, .source script'), null);
  assert.equal(await page.title(), 'page.html · Module reviews');
  await picture(page, 'file');
  say('a file of HTML and script is text');

  assert.equal(await decide(page, origin, sound, 'accept'), 'The review is accepted.');
  assert.equal((await desk.until(sound, 'accepted')).decision?.reviewerWallet, first.address.toLowerCase());
  say(`accepted by ${first.address}`);

  const other = await openConsole(desk, origin, second);
  assert.equal(await decide(other, origin, early, 'request_changes'), 'The review is changes requested.');
  assert.equal((await desk.until(early, 'changes_requested')).decision?.reviewerWallet, second.address.toLowerCase());
  say(`changes requested by ${second.address}`);

  assert.match(await decide(other, origin, own, 'reject'), /^REVIEWER_IS_AUTHOR: /);
  say(`the author's wallet is refused`);
  await other.click('#sign-out');
  await other.waitForSelector('#sign-in');
  await other.goto(origin);
  assert.equal(new URL(other.url()).pathname, '/sign-in');
  say('a session that was ended is none');
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
  await stack.stop();
}
