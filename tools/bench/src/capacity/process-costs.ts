import { readFileSync } from 'node:fs';
import { familyOf } from '../measure/processor-time.js';

/** A component's cost at one moment. */
export interface ProcessCost {
  /** Milliseconds of processor time of its processes, ended ones included. */
  readonly processorMs: number;
  /** Bytes of memory of its processes; pages that several share are divided among them. */
  readonly memoryBytes: number;
}

/** Reads the cost of a process and all below it. @throws Error where the system has no `/proc`. */
export function costOf(pid: number): ProcessCost {
  let processorMs = 0;
  let memoryBytes = 0;
  for (const { pid: member, milliseconds } of familyOf(pid)) {
    processorMs += milliseconds;
    memoryBytes += proportionalBytes(member);
  }
  return { processorMs, memoryBytes };
}

function proportionalBytes(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    // The process ended after it was listed.
    return 0;
  }
}
