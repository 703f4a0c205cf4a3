import {
  IMAGE_PROTOCOLS,
  LINK_PROTOCOLS,
  shownText,
  shownUrl,
  type SourceRead,
  type TokenMetadata,
} from '@launch/contracts/index';
import { decodeUtf8 } from '@launch/contracts/json';
import { parseAbi } from 'viem/utils';
import { bytesOfHex, isHex, type Hex } from '../encoding/hex.js';
import type { AbiValue } from '../events/abi-values.js';
import type { Answers } from './source-adapter.js';
import { callRead, returnedBy, unanswered, type Asked } from './source-reads.js';

/**
 * A token's own metadata: untrusted text, never a reason to lose a coin (docs/reference/index-sources.md#token-metadata).
 */
export const TOKEN_METADATA_ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function metadata() view returns (string description, string website, string image, bytes extraData)',
]);

/** Enough gas to build a text of one megabyte. A token that exceeds it simply has no such text. */
export const DISPLAY_GAS = 5_000_000;
/** UTF-8 bytes. */
export const DISPLAY_LIMITS = Object.freeze({
  nameBytes: 1_024,
  descriptionBytes: 16_384,
  urlBytes: 2_048,
  socialUrlBytes: 512,
  extraDataBytes: 1_200,
});
const SOCIAL = ['x', 'telegram', 'discord', 'github', 'gitbook'] as const;

const tokenAt = (address: Hex): Asked => ({ name: 'token', address, abi: TOKEN_METADATA_ABI, gas: DISPLAY_GAS });

/** Returns the reads of a token for its display. */
export const displayReads = (token: Hex, answers: Answers): readonly SourceRead[] =>
  unanswered(
    ['name', 'symbol', 'decimals', 'metadata'].map((name) => callRead(tokenAt(token), name)),
    answers,
  );

/** The three values of ERC-20; null for each that the token does not return. */
export interface TokenIdentity {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export function tokenIdentity(token: Hex, answers: Answers): TokenIdentity {
  const [name] = returnedBy(tokenAt(token), 'name', answers) ?? [];
  const [symbol] = returnedBy(tokenAt(token), 'symbol', answers) ?? [];
  const [decimals] = returnedBy(tokenAt(token), 'decimals', answers) ?? [];
  return {
    name: displayText(name, DISPLAY_LIMITS.nameBytes),
    symbol: displayText(symbol, DISPLAY_LIMITS.nameBytes),
    decimals: typeof decimals === 'number' ? decimals : null,
  };
}

/** The tuple of `metadata()` as its bytes; null if the getter has none. */
export interface MetadataBytes {
  readonly description: Hex;
  readonly website: Hex;
  readonly image: Hex;
  readonly extraData: Hex;
}

export function metadataBytes(token: Hex, answers: Answers): MetadataBytes | null {
  const values = returnedBy(tokenAt(token), 'metadata', answers);
  if (values === null) return null;
  const [description, website, image, extraData] = values as readonly Hex[];
  return { description: description!, website: website!, image: image!, extraData: extraData! };
}

const NOTHING = {
  description: null,
  website: null,
  imageUrl: null,
  x: null,
  telegram: null,
  discord: null,
  github: null,
  gitbook: null,
} as const;

/** Returns the displayed form of a token's own metadata. */
export function tokenMetadata(token: Hex, answers: Answers): TokenMetadata {
  const answer = answers.get('token.metadata');
  if (answer?.kind !== 'returned' || answer.data === '0x') return noMetadata('absent');
  const bytes = metadataBytes(token, answers);
  return bytes === null ? noMetadata('malformed') : displayedMetadata(bytes);
}

/** Returns the metadata of a token without displayable values. */
export const noMetadata = (status: 'absent' | 'malformed'): TokenMetadata => ({ status, ...NOTHING });

/** Returns the displayed form of a known tuple. */
export function displayedMetadata(bytes: MetadataBytes): TokenMetadata {
  const links = socialLinks(bytes.extraData);
  if (links === null) return noMetadata('malformed');
  return {
    status: 'ok',
    description: displayText(bytes.description, DISPLAY_LIMITS.descriptionBytes),
    website: shownUrl(displayText(bytes.website, DISPLAY_LIMITS.urlBytes), LINK_PROTOCOLS),
    imageUrl: shownUrl(displayText(bytes.image, DISPLAY_LIMITS.urlBytes), IMAGE_PROTOCOLS),
    ...links,
  };
}

type SocialLinks = Pick<TokenMetadata, (typeof SOCIAL)[number]>;

/** Parses `0x`, or a JSON object with `v: 1`. Drops each bad member alone. Returns null for anything else. */
function socialLinks(extraData: Hex): SocialLinks | null {
  const none: SocialLinks = { x: null, telegram: null, discord: null, github: null, gitbook: null };
  if (extraData === '0x') return none;
  const text = displayText(extraData, DISPLAY_LIMITS.extraDataBytes);
  const members = text === null ? null : jsonObject(text);
  if (members?.['v'] !== 1) return null;
  const link = (name: string): string | null => {
    const value = Object.hasOwn(members, name) ? members[name] : null;
    const fits = typeof value === 'string' && new TextEncoder().encode(value).length <= DISPLAY_LIMITS.socialUrlBytes;
    return fits ? shownUrl(value, LINK_PROTOCOLS) : null;
  };
  return { ...none, ...Object.fromEntries(SOCIAL.map((name) => [name, link(name)])) };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * Returns a text unchanged, or null if it is not UTF-8, too long, or contains U+0000, which PostgreSQL cannot store.
 */
export function displayText(value: AbiValue | undefined, maxBytes: number): string | null {
  if (typeof value !== 'string' || value.length > 2 + 2 * maxBytes || !isHex(value)) return null;
  return shownText(decodeUtf8(bytesOfHex(value)) ?? null);
}
