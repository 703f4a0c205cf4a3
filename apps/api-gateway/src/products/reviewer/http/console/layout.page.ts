import { Html, template, type Shown } from './html-template.js';
import { escapeHtml } from './shown-text.js';

/**
 * Allows nothing inline and nothing from other origins, and no frame may contain the page. Wallets provide their icons
 * as `data:` URLs (EIP-6963).
 */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const layout = template<{ readonly title: Html; readonly body: Html; readonly isSignedIn: boolean }>(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title><%= it.title %> · Module reviews</title>
<link rel="stylesheet" href="/assets/console.css"><script src="/assets/console.js" defer></script></head><body>
<header><a class="home" href="/">Module reviews</a><% if (it.isSignedIn) { %><button type="button" id="sign-out" class="quiet">Sign out</button><% } %></header>
<main>
<%= it.body %>
</main></body></html>
`);

/** Renders a page of the console. A title has no elements, so its text is only escaped. */
export const consolePage = (title: string, body: Html, isSignedIn = true): string =>
  layout({ title: new Html(escapeHtml(title)), body, isSignedIn }).toString();

const signIn = template(`<h1>Sign in</h1>
<p>A reviewer's key opens this console for four hours. Decisions are signed by your wallet, not by the key.</p>
<form id="sign-in"><label for="key">Reviewer's key</label>
<input id="key" name="key" type="password" autocomplete="off" required maxlength="256">
<button type="submit">Sign in</button><p class="notice" id="notice" role="status"></p></form>
<noscript>This page needs its own script.</noscript>`);

export const signInPage = (): string => consolePage('Sign in', signIn({}), false);

const error = template<{ readonly status: Shown; readonly message: Shown }>(
  `<h1><%= it.status %></h1><p><%= it.message %></p><p><a href="/">To the queue</a></p>`,
);

export const errorPage = (status: number, message: string): string =>
  consolePage(`Error ${status}`, error({ status, message }));

const tooLarge = template<{ readonly id: string; readonly sha256: string | undefined }>(
  `<h1>Too large to render</h1><p>This page would take more time or memory than a page may. <% if (it.sha256 === undefined) { %>Read the <a href="/v1/reviewer/submissions/<%= it.id %>">submission as JSON</a> and save its files one by one.<% } else { %><a href="/v1/reviewer/submissions/<%= it.id %>/files/<%= it.sha256 %>">Save the bytes</a> and read them elsewhere.<% } %></p><p><a href="/submissions/<%= it.id %>">To the submission</a></p>`,
);

/**
 * Renders the replacement of a page that exceeds its time or memory.
 * @param sha256 the file; absent for other pages.
 */
export const tooLargePage = (submissionId: string, sha256: string | undefined): string =>
  consolePage('Too large', tooLarge({ id: submissionId, sha256 }));
