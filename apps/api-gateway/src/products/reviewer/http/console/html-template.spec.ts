import { describe, expect, it } from '@jest/globals';
import { Html, joined, template } from './html-template.js';

describe('Templates', () => {
  const shown = (text: string, value: unknown): string => template(text)({ value }).toString();

  it('A template escapes every value and shows invisible characters by their code points.', () => {
    expect(shown('<b><%= it.value %></b>', `<img src=x onerror="y('z')">&`)).toBe(
      '<b>&lt;img src=x onerror=&quot;y(&#39;z&#39;)&quot;&gt;&amp;</b>',
    );
    expect(shown('<%= it.value %>', 'a\u202eb')).toMatch(/^a<span [^>]*>U\+202E<\/span>b$/);
    expect(shown('<%= it.value %>', 7)).toBe('7');
  });

  it('A template that leaves a value unescaped is refused.', () => {
    expect(() => template('<%~ it.value %>')).toThrow('escapes every value');
    expect(() => template('<p><%= it.value %></p><%~it.value%>')).toThrow('escapes every value');
  });

  it('A template inserts a value unescaped only when another template made it.', () => {
    const bold = template<{ text: string }>('<b><%= it.text %></b>');
    expect(shown('<p><%= it.value %></p>', bold({ text: '<i>' }))).toBe('<p><b>&lt;i&gt;</b></p>');
    expect(shown('<%= it.value %>', { toString: () => '<b>' })).toBe('&lt;b&gt;');
    expect(joined([bold({ text: 'a' }), new Html('&')], ', ').toString()).toBe('<b>a</b>, &');
  });
});
