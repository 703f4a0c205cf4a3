import { useSettings } from '../site/site-data.js';
import { loadableImage } from '../site/untrusted.js';

const LETTER = /[\p{L}\p{N}]/u;

/**
 * The image of a coin, or a neutral mark with the first letter of its symbol. The mark has no colour of its own, so that it looks
 * like no brand. It is decoration: the name stands beside it.
 */
export function CoinMark({ imageUrl, symbol }: { imageUrl: string | null; symbol: string | null }) {
  const src = loadableImage(imageUrl, useSettings());
  if (src !== null)
    return (
      <img
        src={src}
        alt=""
        width={36}
        height={36}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className="size-9 shrink-0 rounded-full bg-sunken object-cover"
      />
    );
  return (
    <svg viewBox="0 0 36 36" width={36} height={36} aria-hidden className="size-9 shrink-0">
      <circle cx="18" cy="18" r="17.5" className="fill-sunken stroke-line" />
      <text x="18" y="18" dy="0.36em" textAnchor="middle" fontSize="15" className="fill-muted font-semibold">
        {LETTER.exec(symbol ?? '')?.[0].toUpperCase() ?? '?'}
      </text>
    </svg>
  );
}
