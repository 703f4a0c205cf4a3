import { Counter, Gauge, type Registry } from '@launch/platform';

/** Counts the calls of custody and their outcomes, and reports the address of the key that it signs with. */
export function custodyMetrics(
  registry: Registry,
  authority: string,
): { called(operation: string, outcome: string): void } {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'launch_custody_operations_total',
    help: 'Calls of custody by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const signing = new Gauge({
    name: 'launch_custody_authority_info',
    help: 'The permit authority that this process signs as.',
    labelNames: ['authority'],
    registers,
  });
  signing.set({ authority }, 1);
  return { called: (operation, outcome) => outcomes.inc({ operation, outcome }) };
}
