import { LAUNCH_GATES } from '@launch/contracts/reports';
import type { LaunchGatesRepository } from '../../core/gates/launch-gates.repository.js';
import type { GateCommand } from './admin.command.js';
import type { Outcome } from './admin.run.js';

/** Runs a command about gates. */
export async function runGateCommand(gates: LaunchGatesRepository, command: GateCommand): Promise<Outcome> {
  const print = (value: object, plain: string): Outcome => ({
    output: command.json ? `${JSON.stringify(value)}\n` : plain,
    found: true,
  });
  if (command.name === 'set-gates') {
    const { gates: named, isOpen } = command.setting;
    const changes = await gates.set(command.setting);
    const said = named.map((gate) => {
      const changed = changes.includes(gate);
      return print(
        { gate, open: isOpen, changed },
        `${gate} ${changed ? 'is' : 'was'} ${word(isOpen)}${changed ? '' : ' before'}\n`,
      ).output;
    });
    return { output: said.join(''), found: true };
  }
  const changes = await gates.changes();
  const open = await gates.open();
  const lines = LAUNCH_GATES.map((gate) => {
    const last = changes.find((change) => change.gate === gate);
    return `${[gate, word(open.has(gate)), ...(last === undefined ? [] : [last.setBy, last.setAt.toISOString()])].join('  ')}\n`;
  });
  return print(
    {
      gates: Object.fromEntries(LAUNCH_GATES.map((gate) => [gate, open.has(gate)])),
      changes: changes.map(({ change, gate, isOpen, setBy, setAt }) => ({
        change: change.toString(),
        gate,
        open: isOpen,
        by: setBy,
        at: setAt.toISOString(),
      })),
    },
    lines.join(''),
  );
}

const word = (isOpen: boolean): string => (isOpen ? 'open' : 'closed');
