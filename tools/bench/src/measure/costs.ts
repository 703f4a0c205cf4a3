import type { Measurement } from './bench-document.schema.js';
import { familyProcessorTime } from './processor-time.js';
import { alternate, compared, timed } from './sampling.js';

/** Time that one job took: on the clock, and of processors in all processes that it used. */
export interface Cost {
  readonly wallMs: number;
  readonly processorMs: number | undefined;
}

export async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = familyProcessorTime();
  const { milliseconds } = await timed(work);
  const after = familyProcessorTime();
  return {
    wallMs: milliseconds,
    processorMs: before === undefined || after === undefined ? undefined : after - before,
  };
}

export interface Costs {
  readonly ours: readonly Cost[];
  readonly peer: readonly Cost[];
}

export async function costsInTurns(
  rounds: number,
  sides: { ours: () => Promise<Cost>; peer: () => Promise<Cost> },
): Promise<Costs> {
  const costs: { ours: Cost[]; peer: Cost[] } = { ours: [], peer: [] };
  const keep = (side: 'ours' | 'peer') => async () => costs[side].push(await sides[side]());
  await alternate(rounds, { ours: keep('ours'), peer: keep('peer') });
  return costs;
}

/** `<name>.processor`; nothing where the system does not tell processor times. */
export function processorCosts(name: string, peerName: string, costs: Costs): Measurement[] {
  const ours = costs.ours.flatMap((cost) => cost.processorMs ?? []);
  const peer = costs.peer.flatMap((cost) => cost.processorMs ?? []);
  if (ours.length === 0 || peer.length === 0) return [];
  const about = { name: `${name}.processor`, unit: 'ms', better: 'lower', summary: 'best' } as const;
  return [compared({ ...about, peerName }, { ours, peer })];
}

/** `<name>`, by the clock, and `<name>.processor`. */
export function reportCosts(name: string, peerName: string, costs: Costs): Measurement[] {
  const wall = compared(
    { name, unit: 'ms', better: 'lower', summary: 'best', peerName },
    { ours: costs.ours.map((cost) => cost.wallMs), peer: costs.peer.map((cost) => cost.wallMs) },
  );
  return [wall, ...processorCosts(name, peerName, costs)];
}
