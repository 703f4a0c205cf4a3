import { parseArgs } from 'node:util';
import { isMisencoded } from './argument-encoding.js';
import { completionScript } from './completion.js';
import {
  commandsOf,
  COMPLETION,
  invocationOf,
  isSingle,
  optionsOf,
  written,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
  type Shell,
} from './declaration.js';
import { commandHelp, helpCommand, programHelp } from './help.js';
import { suggestionFor } from './suggestion.js';

/** A fault of one argument: the option, or an empty path if it is no option of the command. */
export interface ArgumentFinding {
  readonly path: string;
  readonly message: string;
}

/** The value of a flag that is present. */
const GIVEN = 'given';

/** Values by the names of options and positionals. */
export type ParsedOptions = Readonly<Record<string, string>>;

/** A command line as it was read. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: string; readonly options: ParsedOptions }
  /** Help, the version or a completion script, for standard output. */
  | { readonly kind: 'text'; readonly text: string }
  | RefusedLine;

export interface RefusedLine {
  readonly kind: 'refused';
  /** The command, if the line names one. */
  readonly command: string | null;
  readonly findings: readonly ArgumentFinding[];
  /** The command line that shows the help to read next. */
  readonly help: string;
}

/** Formats a finding as one sentence. */
export const findingText = ({ path, message }: ArgumentFinding): string => `${path} ${message}`.trim();

/** Formats a refusal in one line: the faults, and the help to read next. */
export const refusalLine = ({ findings, help }: Pick<RefusedLine, 'findings' | 'help'>): string =>
  `${findings
    .map(findingText)
    .join('; ')
    .replace(/[.?]?$/, (end) => end || '.')} Run ${help}.`;

/**
 * Reads `<command> <positional> --name value --name=value …`. Each option occurs at most once, is known and has a value in UTF-8
 * that is not empty.
 */
export function readCommandLine(program: ProgramDeclaration, argv: readonly string[]): CommandLine {
  const [first] = argv;
  if (first === '--version') return { kind: 'text', text: `${program.name} ${program.version}\n` };
  if (first === undefined && isSingle(program)) return readOptions(program, program.commands[0]!, argv);
  if (first === undefined && program.helpsByDefault !== true)
    return refusedLine(program, `a command is missing. The commands are: ${namesOf(program).join(', ')}.`);
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'text', text: programHelp(program) };
  if (first === 'help') return readHelp(program, argv.slice(1));
  const { command, rest } = commandOf(program, argv);
  if (command !== undefined) return readOptions(program, command, rest);
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'text', text: programHelp(program) };
  return unknownCommand(program, argv);
}

/** Returns the command line that shows the help for a command line that a command refused. */
export const helpFor = (program: ProgramDeclaration, argv: readonly string[]): string =>
  helpCommand(program, commandOf(program, argv).command);

/** Splits arguments into the command that they begin with and the rest. */
export function commandOf(
  program: ProgramDeclaration,
  argv: readonly string[],
): { readonly command: CommandDeclaration | undefined; readonly rest: readonly string[] } {
  const named = commandsOf(program).find(({ name }) => name !== '' && startsWith(argv, name.split(' ')));
  if (named !== undefined) return { command: named, rest: argv.slice(named.name.split(' ').length) };
  return { command: isSingle(program) ? program.commands[0] : undefined, rest: argv };
}

const startsWith = (argv: readonly string[], words: readonly string[]): boolean =>
  words.every((word, index) => argv[index] === word);

/** Reads `help [command]`. */
function readHelp(program: ProgramDeclaration, words: readonly string[]): CommandLine {
  const { command } = commandOf(program, words);
  if (words.length > 0 && command === undefined && !Object.hasOwn(program.groups ?? {}, words[0]!))
    return unknownCommand(program, words);
  return { kind: 'text', text: command === undefined ? programHelp(program) : commandHelp(program, command) };
}

/** The longest word that is repeated. */
const MAX_REPEATED = 40;
/** Letters with digits are how a key looks, and a key may be in the wrong place. The name of a file has a point or a slash. */
const mayBeKey = (text: string): boolean => /[0-9]/.test(text) && /[A-Za-z]/.test(text) && !/[./]/.test(text);

/** Repeats what was typed, unless it may be a key or would change the terminal. */
const typed = (text: string, position: number): string =>
  text.length <= MAX_REPEATED && /^[\x21-\x7e]+$/.test(text) && !mayBeKey(text) ? text : `argument ${position}`;

function unknownCommand(program: ProgramDeclaration, argv: readonly string[]): RefusedLine {
  const names = namesOf(program);
  const [first, second] = argv as readonly [string, ...string[]];
  const isGroup = Object.hasOwn(program.groups ?? {}, first);
  const offered = isGroup ? names.filter((name) => name.startsWith(`${first} `)) : names;
  const word = isGroup && second !== undefined ? `${first} ${second}` : first;
  const suggested = isGroup && second === undefined ? null : suggestionFor(word, offered);
  const hint = suggested === null ? `The commands are: ${offered.join(', ')}.` : `Did you mean ${suggested}?`;
  const shown = isGroup && second !== undefined ? `${first} ${typed(second, 2)}` : typed(first, 1);
  const fault =
    isGroup && second === undefined
      ? `${first} needs a command`
      : first.startsWith('-')
        ? `The first argument is a command, not ${shown}`
        : `${shown} is not a command`;
  return refusedLine(program, `${fault}. ${hint}`);
}

const namesOf = (program: ProgramDeclaration): readonly string[] => commandsOf(program).map(({ name }) => name);

/** Returns the refusal of a line that names no command. */
const refusedLine = (program: ProgramDeclaration, message: string): RefusedLine => ({
  kind: 'refused',
  command: null,
  findings: [{ path: '', message }],
  help: helpCommand(program),
});

function readOptions(program: ProgramDeclaration, command: CommandDeclaration, argv: readonly string[]): CommandLine {
  const known = optionsOf(program, command);
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'text', text: commandHelp(program, command) };
  const reader = new OptionsReader(program, command, known);
  const { options, findings } = reader.read(argv);
  if (findings.length > 0) {
    const help = helpCommand(program, command);
    return { kind: 'refused', command: command.name || null, findings, help };
  }
  if (command === COMPLETION) return { kind: 'text', text: completionScript(program, options['shell'] as Shell) };
  return { kind: 'run', command: command.name, options };
}

const isWithin = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^(?:0|[1-9][0-9]{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Reads the arguments behind the name of a command. */
class OptionsReader {
  private readonly options: Record<string, string> = {};
  private readonly findings: ArgumentFinding[] = [];
  private readonly byName: ReadonlyMap<string, OptionDeclaration>;

  constructor(
    private readonly program: ProgramDeclaration,
    private readonly command: CommandDeclaration,
    known: readonly OptionDeclaration[],
  ) {
    this.byName = new Map(known.map((one) => [one.name, one]));
  }

  read(argv: readonly string[]): { readonly options: ParsedOptions; readonly findings: readonly ArgumentFinding[] } {
    const { tokens } = parseArgs({
      args: [...argv],
      strict: false,
      tokens: true,
      options: Object.fromEntries(
        [...this.byName].map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
      ),
    });
    let count = 0;
    for (const token of tokens) {
      if (token.kind === 'positional') {
        if (!this.readPositional(count, token.value, token.index)) break;
        count += 1;
      }
      if (token.kind === 'option' && !this.readOption(argv[token.index]!, token)) break;
    }
    if (this.findings.length === 0) this.requireAll();
    return { options: this.options, findings: this.findings };
  }

  /** @returns whether the arguments behind it can be read. */
  private readPositional(index: number, value: string, position: number): boolean {
    const { positionals = [], name } = this.command;
    const declared = positionals[index];
    if (declared !== undefined) {
      this.give(declared.name, `<${declared.name}>`, value, declared.values);
      return true;
    }
    const takes = positionals.length === 0 ? 'no argument' : positionals.map((one) => `<${one.name}>`).join(' ');
    this.refuse(
      '',
      `${name || this.program.name} takes ${takes}${positionals.length === 0 ? '' : ' alone'}; ${typed(value, position + 1)} is one too many`,
    );
    return false;
  }

  /** @returns whether the arguments behind it can be read. */
  private readOption(
    argument: string,
    token: {
      readonly name: string;
      readonly rawName: string;
      readonly value?: string | undefined;
      readonly inlineValue?: boolean | undefined;
      readonly index: number;
    },
  ): boolean {
    const { name, value, inlineValue } = token;
    const declared = token.rawName.startsWith('--') ? this.byName.get(name) : undefined;
    if (declared === undefined) {
      this.refuseUnknown(argument.startsWith('--') ? token.rawName : argument, token.index);
      return false;
    }
    const path = `--${name}`;
    if (declared.value === undefined) {
      if (inlineValue === true) this.refuse(path, 'takes no value');
      else this.give(name, path, GIVEN);
      return true;
    }
    const isNextOption = inlineValue === false && value!.startsWith('--') && this.byName.has(value!.slice(2));
    if (value === undefined || value === '' || isNextOption) {
      this.refuse(path, `needs a value: ${written(declared)}`);
      return !isNextOption;
    }
    this.give(name, path, value, declared.values, declared.range);
    return true;
  }

  private refuseUnknown(name: string, index: number): void {
    const suggested = suggestionFor(
      name,
      [...this.byName.keys()].map((one) => `--${one}`),
    );
    const hint = suggested === null ? '' : `. Did you mean ${suggested}?`;
    this.refuse('', `${typed(name, index + 1)} is not an option of ${this.command.name || this.program.name}${hint}`);
  }

  private give(
    name: string,
    path: string,
    value: string,
    values?: readonly string[],
    range?: readonly [number, number],
  ): void {
    if (this.options[name] !== undefined) return this.refuse(path, 'is given twice');
    if (value === '') return this.refuse(path, 'is empty');
    if (isMisencoded(value)) return this.refuse(path, 'is not valid UTF-8');
    if (values !== undefined && !values.includes(value)) {
      const suggested = suggestionFor(value, values);
      return this.refuse(
        path,
        `is one of: ${values.join(', ')}${suggested === null ? '' : `. Did you mean ${suggested}?`}`,
      );
    }
    if (range !== undefined && !isWithin(value, range))
      return this.refuse(path, `is a whole number from ${range[0]} to ${range[1]}`);
    this.options[name] = value;
  }

  private requireAll(): void {
    const { name, positionals = [] } = this.command;
    const missing = positionals.find((one) => !one.optional && this.options[one.name] === undefined);
    if (missing !== undefined) {
      const line = [invocationOf(this.program), name, ...positionals.map((one) => `<${one.name}>`)].filter(Boolean);
      this.refuse('', `${name || this.program.name} needs ${missing.noun}: ${line.join(' ')}`);
    }
    for (const option of this.byName.values())
      if (option.required && this.options[option.name] === undefined) this.refuse(`--${option.name}`, 'is required');
  }

  private refuse(path: string, message: string): void {
    this.findings.push({ path, message });
  }
}
