import { Untrusted } from './untrusted.js';

/** Returns a link that a page may offer: HTTPS, without user and password. Null for anything else. */
export function offeredLink(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

/** A link of a launcher, shown as its whole address. Only HTTPS can be followed; anything else stays text. */
export function UntrustedLink({ url }: { url: string }) {
  const href = offeredLink(url);
  const text = <Untrusted text={href ?? url} absent="None" />;
  return href === null ? (
    text
  ) : (
    <a href={href} rel="noreferrer nofollow ugc" className="underline">
      {text}
    </a>
  );
}
