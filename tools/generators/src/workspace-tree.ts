import { readFileSync } from 'node:fs';
import nodePath from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

/** Beside the sources and beside what is built of them. */
const TEMPLATES = nodePath.resolve(import.meta.dirname, '../templates');

/** The part of Nx's tree that a generator uses. */
export interface WorkspaceTree {
  exists(file: string): boolean;
  read(file: string, encoding: 'utf8'): string | null;
  write(file: string, content: string): void;
}

/** @throws Error where the file is not there. */
export function textOf(tree: WorkspaceTree, file: string): string {
  const text = tree.read(file, 'utf8');
  if (text === null) throw new Error(`${file} is not there`);
  return text;
}

/** Writes a TypeScript file as `npm run format` leaves it. @throws Error where it is there already. */
export async function addSource(tree: WorkspaceTree, file: string, text: string): Promise<void> {
  if (tree.exists(file)) throw new Error(`${file} is there already`);
  tree.write(file, await formatted(tree, file, text));
}

/** Replaces the first occurrence of `before`. @throws Error without one. */
export async function editSource(tree: WorkspaceTree, file: string, before: string, after: string): Promise<void> {
  const text = textOf(tree, file);
  if (!text.includes(before)) throw new Error(`${file} does not have "${before}"`);
  tree.write(
    file,
    await formatted(
      tree,
      file,
      text.replace(before, () => after),
    ),
  );
}

/** A template with its words filled in. @throws Error where it names another word. */
export const fillTemplate = (template: string, words: Readonly<Record<string, string>>): string =>
  readFileSync(`${TEMPLATES}/${template}.ts.template`, 'utf8').replaceAll(/__(\w+?)__/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`the template ${template} names ${word}`);
    return value;
  });

export function addJson(tree: WorkspaceTree, file: string, value: unknown): void {
  if (tree.exists(file)) throw new Error(`${file} is there already`);
  tree.write(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function formatted(tree: WorkspaceTree, file: string, text: string): Promise<string> {
  const style = JSON.parse(textOf(tree, '.oxfmtrc.json')) as FormatConfig & { ignorePatterns?: string[] };
  delete style.ignorePatterns;
  const { code, errors } = await format(file, text, style);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message ?? 'cannot be formatted'}`);
  return code;
}

/** `launch-rules` as `LaunchRules`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `launch-rules` as `launchRules`. */
export const camelCase = (name: string): string => pascalCase(name).replace(/^./, (letter) => letter.toLowerCase());
