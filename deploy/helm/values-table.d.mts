/** Returns the table of a closed schema and its defaults, in Markdown. */
export function valuesTable(schema: object, defaults: object): string;
