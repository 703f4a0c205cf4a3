import type { BenchDocument, Measurement } from './bench-document.schema.js';
import { spread } from './statistics.js';

const number = (value: number): string =>
  value >= 1_000 ? value.toLocaleString('en-US', { maximumFractionDigits: 0 }) : String(value);

const noise = (one: Measurement): string => {
  const widest = Math.max(...[one.samples.ours, one.samples.peer].filter((side) => side.length > 1).map(spread), 0);
  return `±${Math.round(widest * 100)} %`;
};

/** The measurements for a person: one line each. */
export function benchTable(document: Pick<BenchDocument, 'benches' | 'missing'>): string {
  const head = ['measured', 'ours', 'peer', 'ours/peer', 'better', 'of samples', 'noise', 'peer is'];
  const rows = document.benches.map((one) => [
    one.name,
    `${number(one.ours)} ${one.unit}`,
    one.peer === null ? '' : `${number(one.peer)} ${one.unit}`,
    one.ratio === null ? '' : `${one.ratio}x`,
    one.better,
    one.summary,
    noise(one),
    one.peerName ?? '',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd();
  const missing = document.missing.map(({ name, reason }) => `not measured: ${name}: ${reason}`);
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ...missing].join('\n');
}
