import { isMisencoded } from './argument-encoding.js';

/** A fault of one argument: the option, or null if the argument is not an option. */
export interface ArgumentFinding {
  readonly path: string;
  readonly message: string;
}

/** The options of a command, each with one value, by name without the dashes. */
export interface CommandShape {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** The option that a bare first argument sets. */
  readonly operand?: string;
}

/** The value of a flag that is present. */
const GIVEN = 'given';

export type ParsedArguments =
  | { readonly ok: true; readonly command: string; readonly options: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly findings: readonly ArgumentFinding[] };

/**
 * Reads `<command> --name value …`: each option at most once, known, non-empty and UTF-8.
 * Findings name known options only and never repeat the input, because a key may be in the wrong place.
 */
export function parseArguments(
  argv: readonly string[],
  commands: Readonly<Record<string, CommandShape>>,
): ParsedArguments {
  const [command, ...rest] = argv;
  const shape = command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (command === undefined || shape === undefined) {
    return {
      ok: false,
      findings: [{ path: '', message: `the first argument is one of: ${Object.keys(commands).join(', ')}` }],
    };
  }
  return parseOptions(command, rest, shape);
}

/** Reads the options of a program that has only one command. */
export function parseOptions(command: string, argv: readonly string[], shape: CommandShape): ParsedArguments {
  const { flags = [], operand } = shape;
  const known = [...shape.required, ...(shape.optional ?? []), ...flags];
  const options: Record<string, string> = {};
  const findings: ArgumentFinding[] = [];
  let index = 0;
  if (operand !== undefined && argv[0] !== undefined && argv[0] !== '' && !argv[0].startsWith('--')) {
    if (isMisencoded(argv[0])) findings.push({ path: `--${operand}`, message: 'is not valid UTF-8' });
    options[operand] = argv[index++]!;
  }
  while (index < argv.length) {
    const name = argv[index]!.startsWith('--') ? argv[index]!.slice(2) : '';
    if (!known.includes(name)) {
      findings.push({ path: '', message: `argument ${index + 1} is not an option of ${command}` });
      break;
    }
    const value = flags.includes(name) ? GIVEN : argv[index + 1];
    if (options[name] !== undefined) findings.push({ path: `--${name}`, message: 'is given twice' });
    else if (value === undefined || value === '') findings.push({ path: `--${name}`, message: 'needs a value' });
    else if (isMisencoded(value)) findings.push({ path: `--${name}`, message: 'is not valid UTF-8' });
    else options[name] = value;
    index += flags.includes(name) ? 1 : 2;
  }
  for (const name of shape.required) {
    if (options[name] === undefined && findings.length === 0)
      findings.push({ path: `--${name}`, message: 'is required' });
  }
  return findings.length === 0 ? { ok: true, command, options } : { ok: false, findings };
}
