const REDACTED = '[redacted]';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // user:password@ inside any URL
  [/(\w:\/\/)[^\s/:@"]{1,256}:[^\s/@"]{1,512}@/g, `$1${REDACTED}@`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
];

/** Removes passwords in URLs, bearer tokens and private keys from a text before it is logged. */
export function scrub(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
