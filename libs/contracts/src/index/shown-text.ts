import { z } from 'zod';
import { tokenMetadataSchema } from './launch-record.schema.js';

/** Protocols that a token's links may have; its image may also use `ipfs:`. */
export const LINK_PROTOCOLS: readonly string[] = ['https:'];
export const IMAGE_PROTOCOLS: readonly string[] = ['https:', 'ipfs:'];

/**
 * Returns text that is safe to show; null if it contains a lone surrogate, or U+0000, which PostgreSQL cannot store.
 */
export const shownText = (text: string | null): string | null =>
  text !== null && text.isWellFormed() && !text.includes('\u0000') ? text : null;

/**
 * Returns a link in the form that the URL parser writes, without user and password, which only disguise the host.
 * Returns null if it is not a URL of these protocols.
 */
export function shownUrl(text: string | null, protocols: readonly string[]): string | null {
  const url = URL.parse(shownText(text) ?? '');
  if (url === null || !protocols.includes(url.protocol)) return null;
  url.username = '';
  url.password = '';
  return url.href;
}

const textMember = z.string().nullable().transform(shownText);
const urlMember = (protocols: readonly string[]) =>
  z
    .string()
    .nullable()
    .transform((text) => shownUrl(text, protocols));
const link = urlMember(LINK_PROTOCOLS);

/** Replaces texts and links of a row that are not safe to show with null. */
export const shownMetadataSchema = tokenMetadataSchema.extend({
  description: textMember,
  website: link,
  imageUrl: urlMember(IMAGE_PROTOCOLS),
  x: link,
  telegram: link,
  discord: link,
  github: link,
  gitbook: link,
});
