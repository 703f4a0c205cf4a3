import { describe, expect, it } from '@jest/globals';
import { readCommandLine, refusalLine } from './command-line.js';
import { JSON_OPTION, type ProgramDeclaration } from './declaration.js';

const PROGRAM: ProgramDeclaration = {
  name: 'fleet',
  version: '1.2.3',
  summary: 'ships, from the command line',
  details: 'Exit codes: 0 done, 2 usage.',
  options: [JSON_OPTION],
  groups: { dock: 'places of a harbour' },
  commands: [
    {
      name: 'sail',
      summary: 'sail a ship',
      positionals: [{ name: 'shipId', noun: 'a ship id', summary: 'the ship' }],
      options: [
        { name: 'to', value: 'port', summary: 'the port', required: true },
        { name: 'wind', value: 'wind', summary: 'the wind', values: ['north', 'south'], default: 'north' },
        { name: 'knots', value: 'n', summary: 'the speed', range: [1, 25] },
        { name: 'watch', summary: 'look out' },
      ],
      examples: ['sail <shipId> --to Hamburg'],
    },
    { name: 'dock list', summary: 'list the docks', examples: ['dock list'] },
    {
      name: 'dock set',
      summary: 'open or close docks',
      positionals: [
        { name: 'dock', noun: 'a dock', summary: 'the dock', repeatable: true },
        { name: 'state', noun: 'a state', summary: 'the state', values: ['open', 'closed'] },
      ],
      options: [{ name: 'for', value: 'shipId', summary: 'a ship', repeatable: true }],
      examples: ['dock set north south open'],
    },
  ],
};
const SINGLE: ProgramDeclaration = { ...PROGRAM, groups: {}, commands: [{ ...PROGRAM.commands[0]!, name: '' }] };

const read = (line: string, program = PROGRAM) => readCommandLine(program, line === '' ? [] : line.split(' '));
const refusal = (line: string, program = PROGRAM): string => {
  const result = read(line, program);
  return result.kind === 'refused' ? refusalLine(result) : result.kind;
};
const textOf = (line: string, program = PROGRAM): string => {
  const result = read(line, program);
  return result.kind === 'text' ? result.text : result.kind;
};

describe('a command line', () => {
  it('gives options by name, written with a space or an equals sign, in any order', () => {
    const options = { shipId: 'a', to: 'Rio', wind: 'south', watch: 'given' };
    for (const line of ['sail a --to Rio --wind south --watch', 'sail --watch --wind=south --to=Rio a'])
      expect(read(line)).toEqual({ kind: 'run', command: 'sail', options, lists: {} });
  });

  it('accepts a value that begins with a dash or has an equals sign, and a positional behind two dashes', () => {
    expect(read('sail --to -5=x -- --a')).toMatchObject({ options: { to: '-5=x', shipId: '--a' } });
  });

  it.each([
    ['', 'a command is missing. The commands are: sail, dock list, dock set, completion. Run fleet --help.'],
    ['sial a', 'sial is not a command. Did you mean sail? Run fleet --help.'],
    ['paint', 'paint is not a command. The commands are: sail, dock list, dock set, completion. Run fleet --help.'],
    [
      '--json sail',
      'The first argument is a command, not --json. The commands are: sail, dock list, dock set, completion. Run fleet --help.',
    ],
    ['dock', 'dock needs a command. The commands are: dock list, dock set. Run fleet --help.'],
    ['dock lits', 'dock lits is not a command. Did you mean dock list? Run fleet --help.'],
    [
      'toString',
      'toString is not a command. The commands are: sail, dock list, dock set, completion. Run fleet --help.',
    ],
    ['sail --to Rio', 'sail needs a ship id: fleet sail <shipId>. Run fleet sail --help.'],
    ['sail a', '--to is required. Run fleet sail --help.'],
    ['sail', 'sail needs a ship id: fleet sail <shipId>; --to is required. Run fleet sail --help.'],
    ['sail a --ot Rio', '--ot is not an option of sail. Did you mean --to? Run fleet sail --help.'],
    ['sail a --hoist', '--hoist is not an option of sail. Run fleet sail --help.'],
    ['sail a -x', '-x is not an option of sail. Run fleet sail --help.'],
    ['sail a --to', '--to needs a value: --to <port>. Run fleet sail --help.'],
    ['sail a --to=', '--to needs a value: --to <port>. Run fleet sail --help.'],
    ['sail a --to --watch', '--to needs a value: --to <port>. Run fleet sail --help.'],
    ['sail a --to Rio --to=Rio', '--to is given twice. Run fleet sail --help.'],
    ['sail a --to Rio --watch --watch', '--watch is given twice. Run fleet sail --help.'],
    ['sail a --to Rio --watch=yes', '--watch takes no value. Run fleet sail --help.'],
    ['sail a --to Rio b', 'sail takes <shipId> alone; b is one too many. Run fleet sail --help.'],
    ['dock list b', 'dock list takes no argument; b is one too many. Run fleet dock list --help.'],
    ['sail a --to Rio --wind noth', '--wind is one of: north, south. Did you mean north? Run fleet sail --help.'],
    [
      'sail a --to Rio --wind x --knots 26',
      '--wind is one of: north, south; --knots is a whole number from 1 to 25. Run fleet sail --help.',
    ],
    ['completion', 'completion needs a shell: fleet completion <shell>. Run fleet completion --help.'],
    [
      'help paint',
      'paint is not a command. The commands are: sail, dock list, dock set, completion. Run fleet --help.',
    ],
  ])('is refused in one line that names the typed text and the help to read: %j', (line, message) => {
    expect(refusal(line)).toBe(message);
  });

  it('lists the values of a repeatable option before the arguments that appear once', () => {
    expect(read('dock set north south open --for a --for=b')).toEqual({
      kind: 'run',
      command: 'dock set',
      options: { state: 'open' },
      lists: { dock: ['north', 'south'], for: ['a', 'b'] },
    });
    expect(refusal('dock set open')).toBe(
      'dock set needs a state: fleet dock set <dock>... <state>. Run fleet dock set --help.',
    );
    expect(textOf('dock set -h')).toContain('Usage: fleet dock set <dock>... <state> [--for <shipId>]');
  });

  it.each(['sk-live-90ac2e', 'x'.repeat(41), '\u001b[31m', `--${'a1'.repeat(8)}`])(
    'does not repeat an argument that may be a key or would change the terminal: %j',
    (word) => {
      for (const line of [`sail ${word}`, `sail a ${word}`, word, `dock ${word}`]) {
        const message = refusal(line);
        if (message !== 'run' && line !== `sail ${word}`) expect(message).toMatch(/argument \d/);
        expect(message).not.toContain(word);
      }
    },
  );

  it('of a program without commands begins with its options', () => {
    expect(read('a --to Rio', SINGLE)).toEqual({
      kind: 'run',
      command: '',
      options: { shipId: 'a', to: 'Rio' },
      lists: {},
    });
    expect(refusal('a --ot Rio', SINGLE)).toBe('--ot is not an option of fleet. Did you mean --to? Run fleet --help.');
    expect(refusal('', SINGLE)).toBe('fleet needs a ship id: fleet <shipId>; --to is required. Run fleet --help.');
  });
});

describe('The help', () => {
  it('shows the required arguments of a command without brackets, and the optional ones in brackets', () => {
    expect(textOf('sail --help')).toContain(
      '\nUsage: fleet sail <shipId> --to <port> [--wind <north|south>] [--knots <n>] [--watch] [--json] [--help]\n',
    );
  });

  it('describes the values, defaults and requirements of a command, and has an example', () => {
    const text = textOf('sail --help');
    expect(text).toContain('\n  --to <port>           the port (required)\n');
    expect(text).toContain('\n  --wind <north|south>  the wind (north, south) (default: north)\n');
    expect(text).toContain('\n  --knots <n>           the speed (1 to 25)\n');
    expect(text).toContain('\nExamples:\n  fleet sail <shipId> --to Hamburg\n');
  });

  it('is available in four forms', () => {
    const text = textOf('--help');
    expect(text).toContain('Exit codes');
    for (const line of ['-h', 'help', 'paint --help', 'dock -h']) expect(textOf(line)).toBe(text);
    for (const line of ['sail -h', 'sail --to -h', 'help sail']) expect(textOf(line)).toBe(textOf('sail --help'));
    expect(textOf('-h', SINGLE)).toContain('Usage: fleet <shipId> --to <port>');
  });
});

it('The version names the program.', () => {
  expect(textOf('--version')).toBe('fleet 1.2.3\n');
});
