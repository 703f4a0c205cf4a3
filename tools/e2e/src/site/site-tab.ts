import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';

const PATIENCE_MS = 60_000;
const LOOK_MS = 200;

/** One tab of the website, in the words of its visitor. */
export class SiteTab {
  /** Errors of scripts and refusals of the content security policy, which a visitor never sees. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy|hydrat/i.test(message.text()))
        this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, origin: string): Promise<SiteTab> {
    const page = await browser.newPage();
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    return new SiteTab(page, origin);
  }

  async go(pathOrUrl: string): Promise<void> {
    await this.page.goto(new URL(pathOrUrl, this.origin).href, { waitUntil: 'networkidle2', timeout: PATIENCE_MS });
  }

  /** Opens another page of the site without a new document, so that the visitor stays signed in. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
    );
    await this.page.waitForNetworkIdle({ concurrency: 2, timeout: PATIENCE_MS });
  }

  /** Signs in with the wallet of this name, on a page that asks for it. */
  async signIn(wallet: string): Promise<void> {
    if (!(await this.text()).includes('has selected')) await this.press(`Connect ${wallet}`);
    await this.press('Sign in');
    await this.shows('Signed in as');
  }

  /** Alters the answers of the gateway to the page's own reads from now on; null leaves them as they are. */
  async alterAnswers(gateway: string, alter: ((body: string) => string | null) | null): Promise<void> {
    this.page.removeAllListeners('request');
    await this.page.setRequestInterception(alter !== null);
    if (alter === null) return;
    this.page.on('request', (request) => {
      if (request.method() !== 'GET' || !request.url().startsWith(gateway)) return void request.continue();
      const headers = { ...request.headers(), origin: this.origin };
      void alteredAnswer(request.url(), headers, alter).then(
        (answer) => (answer === null ? request.abort('connectionrefused') : request.respond(answer)),
        () => request.abort(),
      );
    });
  }

  /** Opens everything that the page closes at first. */
  async openAll(): Promise<void> {
    await this.page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
  }

  /** Shows the page in a window of this width, on a device with this theme. */
  async view({ width, theme }: { readonly width: number; readonly theme: 'light' | 'dark' }): Promise<void> {
    await this.page.setViewport({ width, height: 900 });
    // Chromium keeps some inherited colours of `light-dark()` after the first change.
    for (let change = 1; change <= 2; change += 1) {
      await this.page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: theme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      // A tab in the background draws no frames, so the wait for two of them has an end.
      await this.page.evaluate(
        'new Promise((go) => { requestAnimationFrame(() => requestAnimationFrame(go)); setTimeout(go, 500); })',
      );
    }
  }

  /** Presses the button or follows the link that contains this name, as soon as it can be pressed. */
  async press(name: string): Promise<void> {
    await this.page
      .locator(`::-p-xpath(//main//*[self::button or self::a][contains(normalize-space(.), "${name}")])`)
      .setTimeout(PATIENCE_MS)
      .click();
  }

  /** Waits until the page shows a text. @throws Error with the text of the page */
  async shows(text: string, withinMs = PATIENCE_MS): Promise<void> {
    let shown = '';
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(LOOK_MS)) {
      shown = await this.text();
      if (shown.includes(text)) return;
    }
    throw new Error(`the page does not show "${text}" but:\n${shown}`);
  }

  text(): Promise<string> {
    return this.page.evaluate("document.querySelector('main')?.innerText ?? ''") as Promise<string>;
  }
}

async function alteredAnswer(url: string, headers: Record<string, string>, alter: (body: string) => string | null) {
  const response = await fetch(url, { headers });
  const body = alter(await response.text());
  if (body === null) return null;
  const kept = [...response.headers].filter(([name]) => !/^(content-(length|encoding)|transfer-encoding)$/.test(name));
  return { status: response.status, headers: Object.fromEntries(kept), body };
}
