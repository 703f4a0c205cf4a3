import { cpus, loadavg, totalmem } from 'node:os';
import type { BenchDocument } from './bench-document.schema.js';

export const loadNow = (): number => Number((loadavg()[0] ?? 0).toFixed(2));

export function machineFacts(loadBefore: number): BenchDocument['machine'] {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: Math.max(all.length, 1),
    memoryBytes: totalmem(),
    load: { before: loadBefore, after: loadNow() },
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
  };
}
