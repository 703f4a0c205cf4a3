// `review-console.cli.ts [folder]`: reviews modules in a headless Chromium against the running product, with a picture of each page.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startE2eStack } from '../stacks/own-stack.js';
import { reviewInBrowser } from './review-in-browser.js';

const folder = process.argv[2];
if (folder !== undefined) await mkdir(folder, { recursive: true });
const stack = await startE2eStack({ without: [] });
try {
  await reviewInBrowser(stack, {
    say: (line) => void process.stdout.write(`${line}\n`),
    ...(folder === undefined
      ? {}
      : {
          picture: async (page, name) =>
            void (await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })),
        }),
  });
} finally {
  await stack.stop();
}
