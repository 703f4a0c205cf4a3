import { describe, expect, it } from '@jest/globals';
import { useStack } from '../stacks/use-stack.js';
import { reviewInBrowser } from './review-in-browser.js';

const PATIENCE_MS = 300_000;

describe("the reviewers' console in a browser", () => {
  it(
    'shows files as text and has decisions signed by the wallet of each reviewer, never by that of the author',
    async () => {
      const said: string[] = [];
      await reviewInBrowser(await useStack('launches'), { say: (line) => void said.push(line) });
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
