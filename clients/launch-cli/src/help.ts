import type { Command, CommandOption } from './command.js';
import { COMMANDS, HELP_OPTION, JSON_OPTION } from './commands.js';

const column = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join('');
};
const written = ({ name, value }: CommandOption): string => `--${name}${value === null ? '' : ` <${value}>`}`;

/** Returns the help page of the program. */
const programHelp = (): string =>
  `launch: custom launches on chain 4663, from the command line

usage: launch <command> [options]; launch <command> --help

${column(COMMANDS.map(({ name, summary }) => [name, summary]))}
SERVICE_API_BASE_URL is the service's origin: HTTPS, or HTTP on this machine.
A result is text on a terminal, and one line of JSON in a pipe or with --json.
Nothing is signed or sent to a chain, and no redirect is followed.

Exit codes: 0 done, 2 usage, 3 refused or different, 4 not authorized, 5 unknown,
6 conflict, 7 rate limited, 8 gates closed or unavailable, 9 unreachable,
10 anything wrong in an answer, 11 file, 130 interrupted.
`;

/** Returns the help page of one command. */
function commandHelp({ name, summary, details, operand, options }: Command): string {
  const all = [...options, JSON_OPTION, HELP_OPTION];
  const usage = [
    name,
    ...(operand === undefined ? [] : [`<${operand.name}>`]),
    ...all.map((one) => `[${written(one)}]`),
  ];
  const rows: (readonly [string, string])[] = [
    ...(operand === undefined ? [] : [[`<${operand.name}>`, operand.describes] as const]),
    ...all.map((one) => [written(one), one.describes] as const),
  ];
  return `launch ${name}: ${summary}\n\nusage: launch ${usage.join(' ')}\n\n${column(rows)}\n${details}\n`;
}

/** Splits arguments into the command that they begin with and the rest. The name has two words if the first is `plan`. */
export function commandOf(argv: readonly string[]): { readonly command: Known | undefined; readonly rest: string[] } {
  const words = argv[0] === 'plan' ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  return { command: COMMANDS.find((one) => one.name === name), rest: argv.slice(words) };
}
type Known = (typeof COMMANDS)[number];

/** Returns the help that a command line requests, or null. */
export function helpOf(argv: readonly string[]): string | null {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === 'help') return programHelp();
  const { command, rest } = commandOf(argv);
  if (command !== undefined) return rest.includes('--help') ? commandHelp(command) : null;
  return first === 'plan' && argv[1] === '--help' ? programHelp() : null;
}
