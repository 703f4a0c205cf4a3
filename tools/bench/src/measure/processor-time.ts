import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in these units at any clock rate of its own (USER_HZ). */
const TICK_MS = 10;

/** Milliseconds of processor time this process has used on all its threads. */
export function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface ProcessTimes {
  readonly parent: number;
  readonly milliseconds: number;
}

/**
 * Reads `/proc/<pid>/stat`; the name in parentheses may hold anything, so fields count from its end. A process's time has
 * that of its children which ended, so that none is lost with them.
 */
export function parseStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), milliseconds: ticks * TICK_MS };
}

/**
 * Returns a process and every process below it with their milliseconds of processor time, ended children included.
 * @throws Error where the system has no `/proc`.
 */
export function familyOf(root: number): { readonly pid: number; readonly milliseconds: number }[] {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat !== undefined) all.set(Number(name), parseStat(stat));
  }
  return [...all].flatMap(([pid, { milliseconds }]) =>
    pid === root || isBelow(pid, root, all) ? [{ pid, milliseconds }] : [],
  );
}

/**
 * Milliseconds of processor time used by this process and every process below it, including ended ones: the cost of a job
 * independent of other load. It never falls. Undefined where the system does not report it (no `/proc`).
 */
export function familyProcessorTime(): number | undefined {
  try {
    return familyOf(process.pid).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds of processor time used by one process on all its threads, in steps of a tick. Undefined where the system
 * does not tell (no `/proc`), and for a process that has ended.
 */
export function processorTimeOf(pid: number): number | undefined {
  const stat = readStat(String(pid));
  return stat === undefined ? undefined : parseStat(stat).milliseconds;
}

/** Undefined when the process has ended since it was listed. */
function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

function isBelow(pid: number, root: number, all: ReadonlyMap<number, ProcessTimes>): boolean {
  for (let at = all.get(pid)?.parent; at !== undefined && at > 1; at = all.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}
