import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { openBrowser } from '../operating/browser.js';
import type { Made } from './cluster-use.js';

export interface Pictured {
  readonly temporalUi: string;
  readonly site: string;
  readonly made: Made;
  readonly folder: string;
}

/** Takes pictures of the workflows in the Temporal UI and of the coin's page. */
export async function takePictures({ temporalUi, site, made, folder }: Pictured): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const pages = {
      'temporal-workflows': `${temporalUi}/namespaces/launches/workflows`,
      coin: `${site}/coins/4663/${made.coin}`,
    };
    for (const [name, url] of Object.entries(pages)) {
      await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
      await page.screenshot({ path: path.join(folder, `${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}
