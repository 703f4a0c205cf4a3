import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

/** A window wide enough for the Temporal UI's tables; its menu on the left is cut off the pictures. */
const WINDOW = { width: 1_280, height: 1_400 };
const PICTURE = { x: 256, y: 48, width: 1_024 };
const PATIENCE_MS = 180_000;

/** A headless Chromium out of the npm package. @throws Error naming what the machine lacks. */
export async function openBrowser(): Promise<Browser> {
  try {
    return await puppeteer.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args,
      headless: 'shell',
      defaultViewport: WINDOW,
      protocolTimeout: 2 * PATIENCE_MS,
    });
  } catch (error) {
    throw new Error('Chromium does not start; it needs libnss3, libnspr4 and libexpat1 of the system', {
      cause: error,
    });
  }
}

/** One tab on the Temporal UI. */
export class UiPage {
  private constructor(
    private readonly origin: string,
    private readonly page: Page,
  ) {}

  static async open(browser: Browser, origin: string): Promise<UiPage> {
    const page = await browser.newPage();
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.emulateTimezone('UTC');
    return new UiPage(origin, page);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/namespaces/default${path}`, {
      waitUntil: 'domcontentloaded',
      timeout: PATIENCE_MS,
    });
  }

  /** Clicks the one element that a selector names, as soon as it is there. */
  async click(selector: string): Promise<void> {
    await this.page.locator(selector).setTimeout(PATIENCE_MS).click();
  }

  /** Waits until the page shows all the texts. @throws Error naming those it does not, and what it shows. */
  async shows(texts: readonly string[]): Promise<void> {
    let missing: readonly string[] = texts;
    let shown = '';
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(250)) {
      shown = await this.text();
      missing = texts.filter((text) => !shown.includes(text));
      if (missing.length === 0) return;
    }
    throw new Error(`${this.page.url()} does not show ${missing.join(', ')}, but\n${shown.slice(0, 4_000)}`);
  }

  /** @param height of what matters, from the top, in pixels; or the heading above which it ends. */
  async picture(file: string, height: number | string): Promise<void> {
    const end = typeof height === 'number' ? height : (await this.topOf(height)) - PICTURE.y;
    await this.page.screenshot({ path: file, clip: { ...PICTURE, height: end } });
  }

  private async topOf(heading: string): Promise<number> {
    const box = await (
      await this.page.waitForSelector(`::-p-text(${heading})`, { timeout: PATIENCE_MS })
    )?.boundingBox();
    if (box == null) throw new Error(`${this.page.url()} has no place for ${heading}`);
    return Math.floor(box.y);
  }

  /** What stands on the page, and in its frames: the UI renders Markdown in frames of its own. */
  private async text(): Promise<string> {
    const texts = await Promise.all(
      this.page.frames().map((frame) =>
        // A frame may be gone when it is asked.
        frame.evaluate('document.body?.innerText ?? ""').catch(() => ''),
      ),
    );
    return texts.join('\n');
  }
}
