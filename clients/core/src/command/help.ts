import {
  commandsOf,
  invocationOf,
  isSingle,
  optionsOf,
  placeOf,
  written,
  type CommandDeclaration,
  type OptionDeclaration,
  type PositionalDeclaration,
  type ProgramDeclaration,
} from './declaration.js';

const column = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join('');
};

const section = (title: string, text: string): string => (text === '' ? '' : `\n${title}:\n${text}`);

/** Returns the words that start a command. */
const started = (program: ProgramDeclaration, { name }: CommandDeclaration): string =>
  `${invocationOf(program)} ${name}`.trim();

/** Returns the command line that shows the help of a command, or of the program. */
export const helpCommand = (program: ProgramDeclaration, command?: CommandDeclaration): string =>
  `${command === undefined ? invocationOf(program) : started(program, command)} --help`;

/** Returns how a command is written: what is in brackets may be left out. */
export function usageOf(program: ProgramDeclaration, command: CommandDeclaration): string {
  const options = optionsOf(program, command);
  return [
    started(program, command),
    ...(command.positionals ?? []).map((one) => (one.optional ? `[${placeOf(one)}]` : placeOf(one))),
    ...options.filter(({ required }) => required).map(written),
    ...options.filter(({ required }) => !required).map((one) => `[${written(one)}]`),
  ].join(' ');
}

const described = ({ summary, values, ...more }: OptionDeclaration | PositionalDeclaration): string =>
  [
    summary,
    values !== undefined && values.some((one) => !summary.includes(one)) ? ` (${values.join(', ')})` : '',
    'range' in more && more.range !== undefined ? ` (${more.range[0]} to ${more.range[1]})` : '',
    'default' in more && more.default !== undefined ? ` (default: ${more.default})` : '',
    'required' in more && more.required ? ' (required)' : '',
    more.repeatable ? ' (may be repeated)' : '',
  ].join('');

const examplesOf = (program: ProgramDeclaration, examples: readonly string[]): string =>
  section('Examples', examples.map((one) => `  ${invocationOf(program)} ${one}\n`).join(''));

const commandBody = (program: ProgramDeclaration, command: CommandDeclaration): string => {
  const rows: (readonly [string, string])[] = [
    ...(command.positionals ?? []).map((one) => [`<${one.name}>`, described(one)] as const),
    ...optionsOf(program, command).map((one) => [written(one), described(one)] as const),
  ];
  return `\nUsage: ${usageOf(program, command)}\n\n${column(rows)}${examplesOf(program, command.examples)}${
    command.details === undefined ? '' : `\n${command.details}\n`
  }`;
};

/** Returns the help page of one command. */
export const commandHelp = (program: ProgramDeclaration, command: CommandDeclaration): string =>
  isSingle(program) && command.name === ''
    ? `${program.name}: ${program.summary}\n${commandBody(program, command)}\n${program.details}\n`
    : `${program.name} ${command.name}: ${command.summary}\n${commandBody(program, command)}`;

/** Returns the help page of a program. */
export function programHelp(program: ProgramDeclaration): string {
  if (isSingle(program)) return commandHelp(program, program.commands[0]!);
  const { name, summary, commands, details } = program;
  const start = invocationOf(program);
  const examples = commands.flatMap((command) => command.examples.slice(0, 1)).slice(0, 3);
  return `${name}: ${summary}

Usage: ${start} <command> [options]

Commands:
${column(commandsOf(program).map((command) => [command.name, command.summary]))}${examplesOf(program, examples)}
${start} <command> --help describes the options of a command; ${start} --version prints the release.

${details}
`;
}
