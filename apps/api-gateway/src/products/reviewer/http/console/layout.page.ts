import { escapeHtml } from './shown-text.js';

/** Nothing inline, nothing from other origins, and no frame may hold it. Wallets bring their icons as `data:` URLs (EIP-6963). */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** A page of the console. @param body HTML. */
export const consolePage = (title: string, body: string, isSignedIn = true): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} · Module reviews</title>
<link rel="stylesheet" href="/assets/console.css"><script src="/assets/console.js" defer></script></head><body>
<header><a class="home" href="/">Module reviews</a>${isSignedIn ? '<button type="button" id="sign-out" class="quiet">Sign out</button>' : ''}</header>
<main>
${body}
</main></body></html>
`;

export const signInPage = (): string =>
  consolePage(
    'Sign in',
    `<h1>Sign in</h1>
<p>A reviewer's key opens this console for four hours. Decisions are signed by your wallet, not by the key.</p>
<form id="sign-in"><label for="key">Reviewer's key</label>
<input id="key" name="key" type="password" autocomplete="off" required maxlength="256">
<button type="submit">Sign in</button><p class="told" id="told" role="status"></p></form>
<noscript>This page needs its own script.</noscript>`,
    false,
  );

export const errorPage = (status: number, message: string): string =>
  consolePage(`Error ${status}`, `<h1>${status}</h1><p>${escapeHtml(message)}</p><p><a href="/">To the queue</a></p>`);

/** Replaces a page that would take more time or memory than it may. @param sha256 the file; absent for other pages. */
export function tooLargePage(submissionId: string, sha256: string | undefined): string {
  const [id, digest] = [escapeHtml(submissionId), escapeHtml(sha256 ?? '')];
  const bytes = `/v1/reviewer/submissions/${id}`;
  return consolePage(
    'Too large',
    `<h1>Too large to render</h1><p>This page would take more time or memory than a page may. ${
      sha256 === undefined
        ? `Read the <a href="${bytes}">submission as JSON</a> and save its files one by one.`
        : `<a href="${bytes}/files/${digest}">Save the bytes</a> and read them elsewhere.`
    }</p><p><a href="/submissions/${id}">To the submission</a></p>`,
  );
}
