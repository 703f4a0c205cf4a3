import { z } from 'zod';
import { tokenMetadataSchema } from './launch-record.schema.js';

/** Where a token's links may lead, and its image besides. */
export const LINK_PROTOCOLS: readonly string[] = ['https:'];
export const IMAGE_PROTOCOLS: readonly string[] = ['https:', 'ipfs:'];

/** Text that every reader can be shown: null where it has half of a surrogate pair, or U+0000, which no database keeps. */
export const shownText = (text: string | null): string | null =>
  text !== null && text.isWellFormed() && !text.includes('\u0000') ? text : null;

/**
 * A link as the URL parser writes it, without a user and a password, which only make another host look like the one that
 * is meant. Null where it is no URL of these protocols.
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

/** Replaces each text and link of a row that no reader can be shown with null. */
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
