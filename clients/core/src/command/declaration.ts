import { basename } from 'node:path';

/** A value on a command line. */
interface Value {
  readonly summary: string;
  /** The accepted values, if they are few. */
  readonly values?: readonly string[];
}

/** An option of a command. */
export interface OptionDeclaration extends Value {
  /** The name without the dashes. */
  readonly name: string;
  /** The placeholder of its value, such as `file`, whose values are paths; absent for a flag. */
  readonly value?: string;
  readonly required?: true;
  /** The least and the greatest value of an option that is a whole number. */
  readonly range?: readonly [number, number];
  /** Whether it may be given several times. Its values are in `lists`. */
  readonly repeatable?: true;
  /** The value that the command uses without the option, for help. */
  readonly default?: string;
}

/** An argument without a name. */
export interface PositionalDeclaration extends Value {
  readonly name: string;
  /** The noun in messages, with its article, such as `a launch id`. */
  readonly noun: string;
  readonly isFile?: true;
  readonly optional?: true;
  /** Whether it may be given several times, which only the first may. Its values are in `lists`. */
  readonly repeatable?: true;
}

/** A command of a program. Parsing, help, completion and the reference in the guides follow from it. */
export interface CommandDeclaration {
  /** One word, or two for a command of a group. Empty in a program that has no commands. */
  readonly name: string;
  readonly summary: string;
  /** More for `--help`, whole lines. */
  readonly details?: string;
  readonly positionals?: readonly PositionalDeclaration[];
  readonly options?: readonly OptionDeclaration[];
  /** Command lines without the name of the program. */
  readonly examples: readonly string[];
}

export interface ProgramDeclaration {
  /** The command that an installed package starts it by. */
  readonly name: string;
  /** The published file, which Node starts as well. */
  readonly file?: string;
  readonly version: string;
  readonly summary: string;
  /** Environment, output and exit codes, for `--help`. */
  readonly details: string;
  readonly commands: readonly CommandDeclaration[];
  /** Options of every command. */
  readonly options?: readonly OptionDeclaration[];
  /** Whether the program without arguments prints its help. Otherwise that is a mistake. */
  readonly helpsByDefault?: true;
  /** Summaries of the first words that several commands share. */
  readonly groups?: Readonly<Record<string, string>>;
}

export const JSON_OPTION: OptionDeclaration = { name: 'json', summary: 'print one line of JSON, as in a pipe' };

export const RETRY_OPTION: OptionDeclaration = {
  name: 'retry',
  summary: 'repeat a request that the service calls retryable: the same bytes and key, at most five times',
};

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The commands that every program has. */
export const COMPLETION: CommandDeclaration = {
  name: 'completion',
  summary: 'print a script that completes commands in a shell',
  details: 'Load it from the start-up file of the shell. The script is text in a pipe too.',
  positionals: [{ name: 'shell', noun: 'a shell', summary: SHELLS.join(', '), values: SHELLS }],
  examples: ['completion bash'],
};
/** The options that every command has. */
export const HELP_OPTION: OptionDeclaration = { name: 'help', summary: 'show this text (also -h)' };

/** Returns the options of a command in the order of its help. */
export const optionsOf = (program: ProgramDeclaration, command: CommandDeclaration): readonly OptionDeclaration[] => [
  ...(command.options ?? []),
  ...(command === COMPLETION ? [] : (program.options ?? [])),
  HELP_OPTION,
];

/** Returns the commands of a program, its own first. */
export const commandsOf = ({ commands }: ProgramDeclaration): readonly CommandDeclaration[] => [
  ...commands,
  COMPLETION,
];

/** Returns the words that started a program: its name, or Node with its published file. */
export const invocationOf = ({ name, file }: ProgramDeclaration): string =>
  file !== undefined && basename(process.argv[1] ?? '') === file ? `node ${file}` : name;

/** Returns whether the program has one command, which has no name. */
export const isSingle = ({ commands }: ProgramDeclaration): boolean => commands[0]?.name === '';

/** Formats a positional as usage lines show it. */
export const placeOf = ({ name, repeatable }: PositionalDeclaration): string =>
  repeatable ? `<${name}>...` : `<${name}>`;

/** The most accepted values that replace a placeholder. */
const MAX_SHOWN_VALUES = 3;

/** Formats an option with its value: a placeholder, or the accepted values if they are few. */
export function written({ name, value, values = [] }: OptionDeclaration): string {
  if (value === undefined) return `--${name}`;
  if (values.length === 1) return `--${name} ${values[0]}`;
  return `--${name} <${values.length > 0 && values.length <= MAX_SHOWN_VALUES ? values.join('|') : value}>`;
}
