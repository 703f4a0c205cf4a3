import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

/** A window wide enough for the tables of the Temporal UI. Pictures omit the menu at its left. */
const WINDOW = { width: 1_280, height: 1_400 };
const PICTURE = { x: 256, y: 48, width: 1_024 };
const PATIENCE_MS = 180_000;

/** The package unpacks the libraries that a bare machine lacks when it detects this image. */
const UNPACKS_LIBRARIES = { CODEBUILD_BUILD_IMAGE: 'nodejs24' };

interface UnpackedBrowser {
  readonly executablePath: string;
  readonly args: string[];
  /** The folder of its libraries and fonts. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

let unpacked: Promise<UnpackedBrowser> | undefined;

async function unpack(): Promise<UnpackedBrowser> {
  const before = { ...process.env };
  Object.assign(process.env, UNPACKS_LIBRARIES);
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
    return { executablePath, args: chromium.args, env: { ...before, LD_LIBRARY_PATH, FONTCONFIG_PATH } };
  } finally {
    // Other programs use the libraries of the system.
    for (const name of ['LD_LIBRARY_PATH', 'FONTCONFIG_PATH', ...Object.keys(UNPACKS_LIBRARIES)])
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
  }
}

/** A headless Chromium from the npm package, which needs only the C and C++ libraries of the system. */
export async function openBrowser(): Promise<Browser> {
  unpacked ??= unpack();
  return puppeteer.launch({
    ...(await unpacked),
    headless: 'shell',
    defaultViewport: WINDOW,
    protocolTimeout: 2 * PATIENCE_MS,
  });
}

/**
 * The same browser as visitors have it: with a process for each tab and without the software renderer, whose work would count as
 * the page's.
 */
export async function openOrdinaryBrowser(): Promise<Browser> {
  const { executablePath, env } = await (unpacked ??= unpack());
  return puppeteer.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'], headless: 'shell' });
}

/** One tab of the Temporal UI. */
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
    await this.page.goto(`${this.origin}/namespaces/launches${path}`, {
      waitUntil: 'domcontentloaded',
      timeout: PATIENCE_MS,
    });
  }

  /** Clicks the one element that a selector names, as soon as it exists. */
  async click(selector: string): Promise<void> {
    await this.page.locator(selector).setTimeout(PATIENCE_MS).click();
  }

  /** Waits until the page shows all texts. @throws Error with the missing texts and the text of the page. */
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

  /** @param height of the picture from the top, in pixels; or the heading above which it ends. */
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

  /** Returns the text of the page and of its frames, in which the UI renders Markdown. */
  private async text(): Promise<string> {
    const texts = await Promise.all(
      this.page.frames().map((frame) =>
        // A frame can disappear before it is read.
        frame.evaluate('document.body?.innerText ?? ""').catch(() => ''),
      ),
    );
    return texts.join('\n');
  }
}
