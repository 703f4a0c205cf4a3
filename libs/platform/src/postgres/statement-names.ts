/** By text: the name of each statement of this process. */
const NAMES = new Map<string, string>();

export function nameStatement(text: string, name: string): void {
  NAMES.set(text, name);
}

/** Returns the name of a statement; the verb of a text that has none, such as those of Prisma. */
export function statementName(text: string): string {
  return NAMES.get(text) ?? /^\s*(\w{1,16})/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
}
