import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useStack } from '../stacks/use-stack.js';
import { reviewInBrowser } from './review-in-browser.js';

const PATIENCE_MS = 300_000;
/** The folder for a picture of each page; without it no picture is taken. */
const PICTURES = process.env['REVIEW_PICTURES'];

describe("the reviewers' console in a browser", () => {
  it(
    'shows files as text and accepts decisions signed by the wallet of each reviewer, never by that of the author',
    async () => {
      const said: string[] = [];
      if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
      await reviewInBrowser(await useStack('launches'), {
        say: (line) => void said.push(line),
        ...(PICTURES === undefined
          ? {}
          : {
              picture: async (page, name) =>
                void (await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true })),
            }),
      });
      expect(said).toEqual([
        'a file of HTML and script is text',
        'one reviewer accepts',
        'another asks for changes, with a wallet that does not announce itself',
        "the author's wallet is refused",
        'a session that was ended is none',
      ]);
    },
    PATIENCE_MS,
  );
});
