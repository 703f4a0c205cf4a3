import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in these whatever its own clock is (USER_HZ). */
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

/** Reads `/proc/<pid>/stat`; the name in parentheses may hold anything, so fields count from its end. */
export function parseStat(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  return { parent: parent as number, milliseconds: ((user as number) + (system as number)) * TICK_MS };
}

/**
 * Milliseconds of processor time used by this process and every process below it that still runs: what a job cost
 * whatever else the machine does. Undefined where the system does not tell (no `/proc`).
 */
export function familyProcessorTime(): number | undefined {
  const all = new Map<number, ProcessTimes>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = readStat(name);
      if (stat !== undefined) all.set(Number(name), parseStat(stat));
    }
  } catch {
    return undefined;
  }
  let total = ownProcessorTime();
  for (const [pid, { milliseconds }] of all) if (pid !== process.pid && isBelow(pid, all)) total += milliseconds;
  return total;
}

/** Undefined when the process has ended since it was listed. */
function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

function isBelow(pid: number, all: ReadonlyMap<number, ProcessTimes>): boolean {
  for (let at = all.get(pid)?.parent; at !== undefined && at > 1; at = all.get(at)?.parent) {
    if (at === process.pid) return true;
  }
  return false;
}
