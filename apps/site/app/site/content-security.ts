/**
 * Returns the policy of a page: scripts and styles of this site only, each inline script with the nonce of the response, and
 * requests to this site and the gateway only. Wallets inject their provider without a request of the page.
 */
export function contentSecurityPolicy(nonce: string, gatewayUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${gatewayUrl}`,
    "font-src 'self'",
    `connect-src 'self' ${gatewayUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ].join('; ');
}

/** The headers of every response of a page. */
export const pageHeaders = (nonce: string, gatewayUrl: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentSecurityPolicy(nonce, gatewayUrl),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});
