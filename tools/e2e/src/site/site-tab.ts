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
