import { describe, expect, it } from '@jest/globals';
import { shownText } from './shown-text.js';

const shown = (text: string): string => shownText(text).replaceAll(/<span [^>]*>(.*?)<\/span>/g, '[$1]');

describe('The text of an author on a page', () => {
  it.each([
    ['markup', `<b onclick="x('y')">&amp;</b>`, '&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;amp;&lt;/b&gt;'],
    ['bidirectional controls', 'a\u202eb\u2066c', 'a[U+202E]b[U+2066]c'],
    ['what has no width', 'a\u200bb\ufeffc\u00add\u{e0041}', 'a[U+200B]b[U+FEFF]c[U+00AD]d[U+E0041]'],
    ['controls, but not the tab and the end of a line', 'a\n\tb\rc\u0000d\u0085', 'a\n\tb[U+000D]c[U+0000]d[U+0085]'],
    ['other spaces and separators', 'a b\u00a0c\u3000d\u2028', 'a b[U+00A0]c[U+3000]d[U+2028]'],
    ['letters that look like nothing', 'a\u3164b', 'a[U+3164]b'],
    ['letters of all scripts', 'für 数 ع', 'für 数 ع'],
  ])('The page shows %s.', (_what, text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});
