import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'puppeteer-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { openBrowser } from '../operating/browser.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { MODULE_SOURCE, openReviewDesk, type Draft } from '../fixtures/reviewed-module.fixture.js';

const PATIENCE_MS = 180_000;
const HOSTILE = `<script>document.title = 'owned'</script>\n<img src=x onerror="document.title = 'owned'">\nbidi \u202e here\n`;
const FILES = { 'src/FeeModule.sol': MODULE_SOURCE, 'page.html': HOSTILE };

/** Receives the steps of a review as text, and each page for a picture. */
export interface ReviewDisplay {
  say(line: string): void;
  picture?(page: Page, name: string): Promise<void>;
}

type Request = { readonly method: string; readonly params?: readonly string[] };

/** A wallet that announces itself by EIP-6963. */
const ANNOUNCED = {
  name: 'Test wallet',
  script: `(() => {
  const provider = { request: (asked) => window.walletAnswers(asked) };
  const detail = Object.freeze({ info: { uuid: '1', name: 'Test wallet', icon: '', rdns: 'example.wallet' }, provider });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
})()`,
} as const;
/** An older wallet, which is only `window.ethereum`. */
const UNANNOUNCED = {
  name: 'This browser',
  script: `window.ethereum = { request: (asked) => window.walletAnswers(asked) };`,
} as const;
type Wallet = typeof ANNOUNCED | typeof UNANNOUNCED;

/**
 * A reviewer at the console, with a wallet and a browser of its own: the Chromium of the package has one process, and
 * therefore one session.
 */
class ConsoleReviewer {
  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
    private readonly origin: string,
    private readonly wallet: Wallet,
    private readonly display: ReviewDisplay,
  ) {}

  static async signIn(
    {
      origin,
      key,
      account,
      wallet,
    }: {
      readonly origin: string;
      readonly key: string;
      readonly account: PrivateKeyAccount;
      readonly wallet: Wallet;
    },
    display: ReviewDisplay,
  ): Promise<ConsoleReviewer> {
    const browser = await openBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.exposeFunction('walletAnswers', async ({ method, params = [] }: Request) => {
      if (method === 'eth_requestAccounts') return [account.address];
      assert.equal(method, 'eth_signTypedData_v4');
      return account.signTypedData(JSON.parse(params[1]!) as Parameters<typeof account.signTypedData>[0]);
    });
    await page.evaluateOnNewDocument(wallet.script);
    const reviewer = new ConsoleReviewer(browser, page, origin, wallet, display);
    await reviewer.go('/');
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    await reviewer.show('sign-in');
    await page.type('#key', key);
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    assert.equal(new URL(page.url()).pathname, '/');
    return reviewer;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
  }

  async show(name: string): Promise<void> {
    await this.display.picture?.(this.page, name);
  }

  /** Decides on a submission's page. @returns the text of the page afterwards. */
  async decide({ submissionId }: Draft, outcome: string): Promise<string> {
    await this.go(`/submissions/${submissionId}`);
    const wallets = await this.page.$$eval('#wallets .name', (names) => names.map(({ textContent }) => textContent));
    assert.deepEqual(wallets, [this.wallet.name]);
    await this.page.click(`input[value=${outcome}]`);
    await this.page.type('#reason', 'Read and understood.');
    await this.page.click('#decide button[type=submit]');
    await this.page.waitForFunction(
      `!['', 'The wallet is asked…'].includes(document.getElementById('notice').textContent)`,
    );
    await this.show(`decided-${outcome}`);
    return (await this.page.$eval('#notice', (notice) => notice.textContent)) ?? '';
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/**
 * Reviews modules in a headless Chromium against the running product: a file of HTML and script stays text, one
 * reviewer accepts, one asks for changes with a wallet that is only `window.ethereum`, the author's wallet is refused,
 * and an ended session is invalid.
 * @throws Error of the first failed expectation.
 */
export async function reviewInBrowser(stack: StackAccess, display: ReviewDisplay): Promise<void> {
  const desk = await openReviewDesk(stack);
  const [first, second] = desk.reviewers as [PrivateKeyAccount, PrivateKeyAccount];
  // Other suites submit modules for the same reviewers.
  const family = `console-${randomBytes(4).toString('hex')}`;
  const [sound, early, own] = [
    await desk.submit({ files: FILES, family }),
    await desk.submit({ files: FILES, family }),
    await desk.submit({ files: FILES, family, author: second.address.toLowerCase() }),
  ];
  await desk.started(sound);
  assert.equal((await desk.change('PUT', sound, 'plan', 0, desk.plan(sound))).status, 200);
  await desk.until(sound, 'built');
  await Promise.all([early, own].map((draft) => desk.started(draft)));

  const at = { origin: stack.stack.reviewer, key: desk.reviewerKey };
  const signedIn: ConsoleReviewer[] = [];
  const signIn = async (account: PrivateKeyAccount, wallet: Wallet): Promise<ConsoleReviewer> => {
    const reviewer = await ConsoleReviewer.signIn({ ...at, account, wallet }, display);
    signedIn.push(reviewer);
    return reviewer;
  };
  try {
    const reviewer = await signIn(first, ANNOUNCED);
    await reviewer.go('/?state=built');
    await reviewer.page.waitForSelector(`a[href="/submissions/${sound.submissionId}"]`);
    await reviewer.show('queue');
    await staysText(reviewer, sound);
    display.say('a file of HTML and script is text');

    assert.equal(await reviewer.decide(sound, 'accept'), 'The review is accepted.');
    assert.equal((await desk.until(sound, 'accepted')).decision?.reviewerWallet, first.address.toLowerCase());
    display.say('one reviewer accepts');

    const other = await signIn(second, UNANNOUNCED);
    assert.equal(await other.decide(early, 'request_changes'), 'The review is changes requested.');
    assert.equal((await desk.until(early, 'changes_requested')).decision?.reviewerWallet, second.address.toLowerCase());
    display.say('another asks for changes, with a wallet that does not announce itself');

    assert.match(await other.decide(own, 'reject'), /^REVIEWER_IS_AUTHOR: /);
    display.say("the author's wallet is refused");
    await other.page.click('#sign-out');
    await other.page.waitForSelector('#sign-in');
    await other.go('/');
    assert.equal(new URL(other.page.url()).pathname, '/sign-in');
    display.say('a session that was ended is none');
  } finally {
    await Promise.all(signedIn.map((reviewer) => reviewer.close()));
  }
}

async function staysText(reviewer: ConsoleReviewer, { submissionId }: Draft): Promise<void> {
  const { page } = reviewer;
  await reviewer.go(`/submissions/${submissionId}`);
  await reviewer.show('submission');
  const file = await page.$$eval('a', (links) => links.find((link) => link.textContent === 'page.html')?.href ?? '');
  await page.goto(file);
  const shown = await page.$eval('.source', (source) => (source as unknown as { innerText: string }).innerText);
  assert.ok(shown.includes(`<script>document.title = 'owned'</script>`) && shown.includes('U+202E'));
  assert.equal(await page.$('.source img, .source script'), null);
  assert.equal(await page.title(), 'page.html · Module reviews');
  await reviewer.show('file');
}
