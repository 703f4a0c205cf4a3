import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { ADMIN } from '../../../apps/api-gateway/src/composition/admin/admin.program.js';
import { DEPLOY } from '../../../deploy/cli/src/deploy.cli.js';
import { INDEX_READER } from '../../../clients/index-reader/src/command/commands.js';
import { LAUNCH } from '../../../clients/launch-cli/src/commands.js';
import { programOf } from '../../../clients/module-cli/src/commands.js';
import { REFERENCE_BUILDER } from '../../../clients/multi-role/src/builder/reference-builder.cli.js';
import { CLIENT } from '../../../clients/multi-role/src/client/client.program.js';
import { INVENTORY_BUILDER } from '../../../clients/multi-role/src/inventory/inventory-builder.cli.js';
import { PACKER } from '../../../clients/multi-role/src/packer/request-packer.cli.js';
import { VERIFY } from '../../../clients/verify/src/verify.cli.js';
import { readCommandLine, refusalLine } from '../../../clients/core/src/command/command-line.js';
import {
  commandsOf,
  optionsOf,
  SHELLS,
  written,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '../../../clients/core/src/command/declaration.js';

const MODULE_CLI = programOf({ version: '1.0.0-development.5', hasReview: true, hasAuthoring: true });
const PROGRAMS: readonly ProgramDeclaration[] = [
  ...[LAUNCH, CLIENT, PACKER, REFERENCE_BUILDER, INVENTORY_BUILDER],
  ...[MODULE_CLI, INDEX_READER, VERIFY, ADMIN, DEPLOY],
];
const COMMANDS = PROGRAMS.flatMap((program) =>
  commandsOf(program).map((command): [string, ProgramDeclaration, CommandDeclaration] => [
    `${program.name} ${command.name}`.trim(),
    program,
    command,
  ]),
);

const wordsOf = ({ name }: CommandDeclaration): string[] => (name === '' ? [] : name.split(' '));
const textOf = (program: ProgramDeclaration, ...argv: string[]): string => {
  const line = readCommandLine(program, argv);
  return line.kind === 'text' ? line.text : line.kind;
};
const refusalOf = (program: ProgramDeclaration, ...argv: string[]): string => {
  const line = readCommandLine(program, argv);
  return line.kind === 'refused' ? refusalLine(line) : line.kind;
};
/** Returns a word, or the second of two words, without its second letter. */
const mistyped = (words: string): string => words.replace(/(\S)\S(\S*)$/, '$1$2');
const valueOf = ({ values, range }: OptionDeclaration): string => values?.[0] ?? String(range?.[0] ?? 'x');
/** Returns everything that a command requires. */
const required = (program: ProgramDeclaration, command: CommandDeclaration): string[] => [
  ...(command.positionals ?? []).filter(({ optional }) => !optional).map(({ values }) => values?.[0] ?? 'x'),
  ...optionsOf(program, command)
    .filter((option) => option.required)
    .flatMap((option) => [`--${option.name}`, valueOf(option)]),
];

describe.each(COMMANDS)('%s', (_name, program, command) => {
  const words = wordsOf(command);
  const help = textOf(program, ...words, '--help');
  const options = optionsOf(program, command);
  const last = words.length === 0 ? `Run ${program.name} --help.` : `Run ${program.name} ${command.name} --help.`;

  it('explains itself to -h, --help and help, with an example and a default for each option that has one', () => {
    expect(help).toContain(`\nUsage: ${[program.name, ...words].join(' ')} `);
    expect(textOf(program, ...words, '-h')).toBe(help);
    expect(textOf(program, 'help', ...words)).toBe(help);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) expect(help).toContain(`  ${program.name} ${example}\n`);
    for (const { default: value } of options) if (value !== undefined) expect(help).toContain(`(default: ${value})`);
  });

  it('has examples that it accepts', () => {
    for (const example of command.examples) {
      const line = readCommandLine(program, example.split(' '));
      expect([example, line.kind === 'refused' ? refusalLine(line) : 'accepted']).toEqual([example, 'accepted']);
    }
  });

  it('puts only optional arguments into brackets', () => {
    const usage = help.split('\n').find((line) => line.startsWith('Usage: '))!;
    for (const option of options) {
      const shown = written(option);
      expect(usage.includes(`[${shown}]`)).toBe(option.required !== true);
      expect(usage).toContain(shown);
    }
    const line = readCommandLine(program, [...words, ...required(program, command)]);
    expect(line.kind).not.toBe('refused');
  });

  it('names an option as it was typed, and the intended option', () => {
    for (const { name } of options.filter((one) => one.name.length > 3)) {
      const typed = `--${mistyped(name)}`;
      const meant = `${typed} is not an option of ${command.name || program.name}. Did you mean --${name}? ${last}`;
      expect(refusalOf(program, ...words, typed, 'x')).toBe(meant);
    }
  });

  it('accepts each value once, with a space or an equals sign, and names a missing one', () => {
    for (const option of options.filter(({ value, repeatable }) => value !== undefined && !repeatable)) {
      const [flag, value] = [`--${option.name}`, valueOf(option)];
      const all = required(program, command);
      const others = all.filter((_, index) => all[index] !== flag && all[index - 1] !== flag);
      const accepted = [[`${flag}=${value}`], [flag, value]].map(
        (given) => readCommandLine(program, [...words, ...others, ...given]) as { readonly options?: object },
      );
      expect([option.name, accepted[0]!.options]).toEqual([
        option.name,
        expect.objectContaining({ [option.name]: value }),
      ]);
      expect(accepted[1]).toEqual(accepted[0]);
      expect(refusalOf(program, ...words, ...others, `${flag}=${value}`, flag, value)).toContain(
        `${flag} is given twice`,
      );
      expect(refusalOf(program, ...words, ...others, flag)).toBe(`${flag} needs a value: ${written(option)}. ${last}`);
      if (option.required) expect(refusalOf(program, ...words, ...others)).toContain(`${flag} is required`);
    }
  });

  it('accepts only the values that it lists', () => {
    for (const { name, values, range } of options) {
      if (values !== undefined)
        expect(refusalOf(program, ...words, `--${name}=none`)).toContain(`--${name} is one of: ${values.join(', ')}`);
      if (range !== undefined)
        for (const beyond of [range[1] + 1, 'x', '-1', '01'])
          expect(refusalOf(program, ...words, `--${name}=${beyond}`)).toContain(
            `--${name} is a whole number from ${range[0]} to ${range[1]}`,
          );
    }
  });

  it('names the argument that is missing, and one that is too many', () => {
    const { positionals = [] } = command;
    const [first] = positionals;
    if (first !== undefined && !first.optional)
      expect(refusalOf(program, ...words)).toContain(
        `${command.name} needs ${first.noun}: ${program.name} ${command.name} <`,
      );
    if (positionals.some(({ repeatable }) => repeatable)) return;
    const given = positionals.map(({ values }) => values?.[0] ?? 'x');
    const surplus = command.name === '' ? 'x' : 'surplus';
    expect(refusalOf(program, ...words, ...given, surplus)).toContain(`${surplus} is one too many. ${last}`);
  });
});

describe.each(PROGRAMS.map((program): [string, ProgramDeclaration] => [program.name, program]))(
  '%s',
  (_name, program) => {
    it('lists its commands, and names the intended one', () => {
      const help = textOf(program, '--help');
      for (const { name } of program.commands.filter((one) => one.name !== '')) {
        expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
        const typed = mistyped(name);
        expect(refusalOf(program, ...typed.split(' '))).toBe(
          `${typed} is not a command. Did you mean ${name}? Run ${program.name} --help.`,
        );
      }
      expect(textOf(program, '-h')).toBe(help);
      expect(textOf(program, 'help')).toBe(help);
      expect(help).toMatch(/Exit codes/i);
      expect(textOf(program, '--version')).toBe(`${program.name} ${program.version}\n`);
    });

    it.each(SHELLS)('completes every option and every accepted value in %s', (shell) => {
      const script = textOf(program, 'completion', shell);
      for (const command of commandsOf(program))
        for (const { name, values = [] } of optionsOf(program, command))
          for (const word of [name, ...values]) expect(script).toContain(word);
      // A machine need not have the shell. If it does, the script must parse.
      const read = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
      if (read.error === undefined) expect([read.status, read.stderr]).toEqual([0, '']);
    });

    it('prints no escape sequence', () => {
      for (const command of commandsOf(program))
        // eslint-disable-next-line no-control-regex -- the sequences begin with this character
        expect(textOf(program, ...wordsOf(command), '--help')).not.toMatch(/\u001b/);
    });
  },
);
