import { Eta } from 'eta/core';
import { shownText } from './shown-text.js';

/** A piece of HTML made by a template. Templates insert it unchanged and escape every other value. */
export class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * A value that a template shows: HTML unchanged, other values as text with visible code points for invisible
 * characters.
 */
export type Shown = Html | string | number;

const escapeFunction = (value: unknown): string =>
  value instanceof Html ? value.toString() : shownText(String(value));

/** Refuses a template with a tag that leaves a value unescaped. */
const escapesEverything = {
  processAST: <Part>(parts: Part[]): Part[] => {
    if (parts.some((part) => typeof part === 'object' && part !== null && 't' in part && part.t === 'r'))
      throw new TypeError('a template of the console escapes every value');
    return parts;
  },
};
const engine = new Eta({ autoEscape: true, autoTrim: false, escapeFunction, plugins: [escapesEverything] });

/**
 * Compiles a template: `<%= it.name %>` shows a value, `<% … %>` is a statement.
 * @throws {EtaError} for an invalid template, {TypeError} for one that leaves a value unescaped; both when its module
 * loads.
 */
export function template<Data extends Readonly<Record<string, unknown>>>(text: string): (data: Data) => Html {
  const render = engine.compile(text);
  return (data) => new Html(render.call(engine, data));
}

/** Joins pieces of HTML. */
export const joined = (parts: readonly Html[], separator = ''): Html => new Html(parts.join(separator));
