import { describe, expect, it } from '@jest/globals';
import { Html, joined, template } from './html-template.js';

describe('a template', () => {
  const shown = (text: string, value: unknown): string => template(text)({ value }).toString();

  it('escapes every value, and shows unseen characters by their code points', () => {
    expect(shown('<b><%= it.value %></b>', `<img src=x onerror="y('z')">&`)).toBe(
      '<b>&lt;img src=x onerror=&quot;y(&#39;z&#39;)&quot;&gt;&amp;</b>',
    );
    expect(shown('<%= it.value %>', 'a\u202eb')).toMatch(/^a<span [^>]*>U\+202E<\/span>b$/);
    expect(shown('<%= it.value %>', 7)).toBe('7');
  });

  it('is refused where it leaves a value unescaped', () => {
    expect(() => template('<%~ it.value %>')).toThrow('escapes every value');
    expect(() => template('<p><%= it.value %></p><%~it.value%>')).toThrow('escapes every value');
  });

  it('takes a value as it is only where a template made it', () => {
    const bold = template<{ text: string }>('<b><%= it.text %></b>');
    expect(shown('<p><%= it.value %></p>', bold({ text: '<i>' }))).toBe('<p><b>&lt;i&gt;</b></p>');
    expect(shown('<%= it.value %>', { toString: () => '<b>' })).toBe('&lt;b&gt;');
    expect(joined([bold({ text: 'a' }), new Html('&')], ', ').toString()).toBe('<b>a</b>, &');
  });
});
