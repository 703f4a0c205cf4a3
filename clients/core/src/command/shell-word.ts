/** Quotes an argument for a POSIX shell, unless it is plain. */
export const shellWord = (argument: string): string =>
  /^[\w./:@%+=,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
