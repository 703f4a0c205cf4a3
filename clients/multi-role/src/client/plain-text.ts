/** Control, format and line characters, which a terminal would interpret or a name could hide behind. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns foreign text for a terminal, which shows it and does not interpret it. */
export const plain = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** Formats rows of label and value, without rows that have no value. */
export function table(rows: readonly (readonly [label: string, value: string | null])[]): string {
  const present = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  const width = Math.max(...present.map(([label]) => label.length));
  return present.map(([label, value]) => `${label.padEnd(width)}  ${plain(value)}\n`).join('');
}

/** Formats an instant and its distance, to the second or minute. */
export function instant(timestamp: string, now: number): string {
  const seconds = Math.round((Date.parse(timestamp) - now) / 1_000);
  const size = Math.abs(seconds);
  const span =
    size < 120 ? `${size} s` : size < 7_200 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3_600)} h`;
  return `${timestamp.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')} (${seconds < 0 ? `${span} ago` : `in ${span}`})`;
}
