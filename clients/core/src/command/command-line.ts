import { parseArgs } from 'node:util';
import { isMisencoded } from './argument-encoding.js';
import { completionScript } from './completion.js';
import {
  commandsOf,
  COMPLETION,
  invocationOf,
  isSingle,
  optionsOf,
  placeOf,
  written,
  type CommandDeclaration,
  type OptionDeclaration,
  type PositionalDeclaration,
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

export type ParsedLists = Readonly<Record<string, readonly string[]>>;

/** A command line as it was read. */
export type CommandLine =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly options: ParsedOptions;
      /** The values of repeatable options and positionals. */
      readonly lists: ParsedLists;
    }
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
  const { options, lists, findings } = reader.read(argv);
  if (findings.length > 0) {
    const help = helpCommand(program, command);
    return { kind: 'refused', command: command.name || null, findings, help };
  }
  if (command === COMPLETION) return { kind: 'text', text: completionScript(program, options['shell'] as Shell) };
  return { kind: 'run', command: command.name, options, lists };
}

const isWithin = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^(?:0|[1-9][0-9]{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most;

/** A positional argument and its place. */
interface Word {
  readonly value: string;
  readonly index: number;
}

/** Reads the arguments behind the name of a command. */
class OptionsReader {
  private readonly options: Record<string, string> = {};
  private readonly lists: Record<string, string[]> = {};
  private readonly findings: ArgumentFinding[] = [];
  private readonly byName: ReadonlyMap<string, OptionDeclaration>;

  constructor(
    private readonly program: ProgramDeclaration,
    private readonly command: CommandDeclaration,
    known: readonly OptionDeclaration[],
  ) {
    this.byName = new Map(known.map((one) => [one.name, one]));
  }

  read(argv: readonly string[]) {
    const { tokens } = parseArgs({
      args: [...argv],
      strict: false,
      tokens: true,
      options: Object.fromEntries(
        [...this.byName].map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
      ),
    });
    const words: Word[] = [];
    for (const token of tokens) {
      if (token.kind === 'positional') words.push(token);
      if (token.kind === 'option' && !this.readOption(argv[token.index]!, token)) break;
    }
    this.readPositionals(words);
    if (this.findings.length === 0) this.requireAll();
    return { options: this.options as ParsedOptions, lists: this.lists as ParsedLists, findings: this.findings };
  }

  private readPositionals(words: readonly Word[]): void {
    const { positionals = [], name } = this.command;
    const [first] = positionals;
    // The positionals behind one that may be repeated are the last words.
    const repeated = first?.repeatable ? Math.max(1, words.length - positionals.length + 1) : 1;
    const places = positionals.flatMap((one, index) => (index === 0 ? new Array(repeated).fill(one) : [one]));
    for (const [index, { value, index: position }] of words.entries()) {
      const place = places[index];
      if (place === undefined) {
        const takes = positionals.length === 0 ? 'no argument' : `${positionals.map(placeOf).join(' ')} alone`;
        const message = `takes ${takes}; ${typed(value, position + 1)} is one too many`;
        return this.refuse('', `${name || this.program.name} ${message}`);
      }
      this.give(place, `<${place.name}>`, value);
    }
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
      else this.give(declared, path, GIVEN);
      return true;
    }
    const isNextOption = inlineValue === false && value!.startsWith('--') && this.byName.has(value!.slice(2));
    if (value === undefined || value === '' || isNextOption) {
      this.refuse(path, `needs a value: ${written(declared)}`);
      return !isNextOption;
    }
    this.give(declared, path, value);
    return true;
  }

  private refuseUnknown(name: string, index: number): void {
    const suggested = suggestionFor(
      name,
      [...this.byName.keys()].map((one) => `--${one}`),
    );
    // A word that resembles an option is no key.
    const fault = `is not an option of ${this.command.name || this.program.name}`;
    this.refuse(
      '',
      suggested === null ? `${typed(name, index + 1)} ${fault}` : `${name} ${fault}. Did you mean ${suggested}?`,
    );
  }

  private give(declared: OptionDeclaration | PositionalDeclaration, path: string, value: string): void {
    const { name, values, repeatable } = declared;
    if (this.options[name] !== undefined) return this.refuse(path, 'is given twice');
    if (value === '') return this.refuse(path, 'is empty');
    if (isMisencoded(value)) return this.refuse(path, 'is not valid UTF-8');
    if (values !== undefined && !values.includes(value)) {
      const suggested = suggestionFor(value, values);
      const hint = suggested === null ? '' : `. Did you mean ${suggested}?`;
      return this.refuse(path, `is one of: ${values.join(', ')}${hint}`);
    }
    if ('range' in declared && declared.range !== undefined && !isWithin(value, declared.range))
      return this.refuse(path, `is a whole number from ${declared.range[0]} to ${declared.range[1]}`);
    if (repeatable) (this.lists[name] ??= []).push(value);
    else this.options[name] = value;
  }

  private isGiven(name: string): boolean {
    return this.options[name] !== undefined || this.lists[name] !== undefined;
  }

  private requireAll(): void {
    const { name, positionals = [] } = this.command;
    const missing = positionals.find((one) => !one.optional && !this.isGiven(one.name));
    if (missing !== undefined) {
      const line = [invocationOf(this.program), name, ...positionals.map(placeOf)].filter(Boolean);
      this.refuse('', `${name || this.program.name} needs ${missing.noun}: ${line.join(' ')}`);
    }
    for (const option of this.byName.values())
      if (option.required && !this.isGiven(option.name)) this.refuse(`--${option.name}`, 'is required');
  }

  private refuse(path: string, message: string): void {
    this.findings.push({ path, message });
  }
}
