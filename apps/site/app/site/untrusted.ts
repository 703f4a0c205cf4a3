/**
 * Characters that are invisible, that reorder the text around them, or that start a new line: controls, format characters
 * (bidirectional marks and zero-width joiners among them), line separators, and code points without a meaning.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]/gu;
/** Marks stacked on one letter beyond this number cover the lines above and below it. */
const STACKED_MARKS = /(\p{Mn}{2})\p{Mn}+/gu;
const LONE_SURROGATES = /[\ud800-\udfff]/gu;
const JOINED_EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;

const named = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
const withoutHidden = (text: string): string => text.replace(HIDDEN, named);

/**
 * Returns text of a launcher in a form that hides nothing and changes nothing around it: each invisible or reordering character
 * becomes its name, such as `[U+202E]`. Emoji keep their joiners.
 * @param longest the number of characters after which the text ends with `…`
 */
export function visibleText(text: string, longest = Number.POSITIVE_INFINITY): string {
  const wellFormed = text.replace(LONE_SURROGATES, '\ufffd').replace(STACKED_MARKS, '$1');
  let shown = '';
  let end = 0;
  for (const match of wellFormed.matchAll(JOINED_EMOJI)) {
    shown += withoutHidden(wellFormed.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  shown += withoutHidden(wellFormed.slice(end));
  const characters = [...shown];
  return characters.length <= longest ? shown : `${characters.slice(0, longest).join('')}…`;
}

/** Returns the address of an image if the policy of the pages lets a browser load it, else null (content-security.ts). */
export function loadableImage(
  url: string | null,
  { gatewayUrl, siteUrl }: { readonly gatewayUrl: string; readonly siteUrl: string | null },
): string | null {
  const parsed = URL.parse(url ?? '');
  return parsed !== null && (parsed.origin === gatewayUrl || parsed.origin === siteUrl) ? parsed.href : null;
}
