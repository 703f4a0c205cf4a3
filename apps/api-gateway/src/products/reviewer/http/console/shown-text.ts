/** Escapes text for HTML, so that it contains no markup. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * Characters that are invisible or change the order of visible ones: controls except tab and line feed, formats
 * (bidirectional ones among them), ignorable characters, separators, spaces except the ordinary one, and surrogate
 * halves.
 */
const UNSEEN = /[^\P{Cc}\t\n]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|[^\P{Zs} ]|\p{Cs}|\p{Co}/gu;

/** The characters of one text that a page shows. An invisible one takes 75 characters of HTML. */
export const MAX_SHOWN = 4_096;

/**
 * Returns an author's text as HTML in which invisible characters are shown by their code points. A text longer than
 * `most` characters is cut, and says so.
 */
export function shownText(text: string, most = MAX_SHOWN): string {
  const kept = text.slice(0, most);
  let shown = '';
  let end = 0;
  for (const { 0: unseen, index } of kept.matchAll(UNSEEN)) {
    shown += escapeHtml(kept.slice(end, index));
    const name = `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    shown += `<span class="unseen" title="a character that is not seen">${name}</span>`;
    end = index + unseen.length;
  }
  const left = text.length - kept.length;
  return `${shown}${escapeHtml(kept.slice(end))}${left === 0 ? '' : `<span class="cut">… ${left} more characters</span>`}`;
}
