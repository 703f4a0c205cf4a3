/** Text as HTML: nothing of it is markup. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * What a reader does not see, or what changes the order of what it sees: controls but tab and end of line, formats (bidirectional
 * ones among them), ignorable characters, separators and spaces but the plain one, and halves of characters.
 */
const UNSEEN = /[^\P{Cc}\t\n]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|[^\P{Zs} ]|\p{Cs}|\p{Co}/gu;

/** Foreign text as HTML in which the unseen is shown by its code point. */
export function shownText(text: string): string {
  let shown = '';
  let end = 0;
  for (const { 0: unseen, index } of text.matchAll(UNSEEN)) {
    shown += escapeHtml(text.slice(end, index));
    const name = `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    shown += `<span class="unseen" title="a character that is not seen">${name}</span>`;
    end = index + unseen.length;
  }
  return shown + escapeHtml(text.slice(end));
}
