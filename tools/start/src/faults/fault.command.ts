import { parseArgs } from 'node:util';
import { CHAINS, FaultControl, type Chain } from './fault-control.js';
import {
  FAULT_KINDS,
  FAULT_NAMES,
  LIE_SUBJECTS,
  OUTAGE_FORMS,
  UnknownProvider,
  type ActiveFault,
  type FaultKind,
  type FaultName,
  type FaultOption,
  type GivenFault,
} from './fault-kinds.js';
import { NoFaultControl, runningStack } from './running-stack.js';

export const EXIT = { done: 0, refused: 1, usage: 2 } as const;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const OPTION_TEXTS: Readonly<Record<FaultOption, string>> = {
  chain: '--chain 4663|1',
  provider: '--provider first|second|both|<id>',
  blocks: '--blocks <n>',
  transaction: '--transaction 0x…',
  about: `--about ${LIE_SUBJECTS.join('|')}`,
  how: `--how ${OUTAGE_FORMS.join('|')}`,
  usd: '--usd <price>',
  age: '--age <seconds>',
};

export const HELP = `usage: npm run dev:fault -- <fault> [option …]
       npm run dev:fault -- [<fault>] --clear
       npm run dev:fault -- --list

Provokes a fault on the development chains of a running \`npm start\`.

${FAULT_NAMES.map((name) => {
  const { summary, options } = FAULT_KINDS[name];
  return `  ${name.padEnd(15)}${summary}\n  ${''.padEnd(15)}${options.map((option) => `[${OPTION_TEXTS[option]}]`).join(' ')}`;
}).join('\n')}

  --for <seconds>   ends the fault by itself, after 1 to 86400 seconds
  --clear           ends the named fault, or every fault
  --list            prints the faults in effect
  -h, --help        prints this text

The stack is the one of .data, or of LAUNCH_DATA_DIR. docs/guides/provoke-faults.md shows what a client sees under each fault.
Exit codes: 0 done, 1 refused, 2 usage.
`;

type Task =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'clear'; readonly names: readonly FaultName[] }
  | { readonly kind: 'begin'; readonly name: FaultName; readonly given: GivenFault };

class UsageError extends Error {}

/** Provokes, ends or lists faults of the stack in a data folder. */
export async function runFaultCommand(args: readonly string[], dataDir: string): Promise<Outcome> {
  try {
    const task = readTask(args);
    if (task.kind === 'help') return done(HELP);
    const control = new FaultControl((await runningStack(dataDir)).faults);
    if (task.kind === 'list') return done(await listed(control));
    if (task.kind === 'clear') return done(await cleared(control, task.names));
    return done(await begun(control, task.name, task.given));
  } catch (error) {
    if (error instanceof UsageError) return { exitCode: EXIT.usage, stdout: '', stderr: `${error.message}\n\n${HELP}` };
    if (error instanceof UnknownProvider) return { exitCode: EXIT.usage, stdout: '', stderr: `${error.message}\n` };
    if (error instanceof NoFaultControl) return { exitCode: EXIT.refused, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

const done = (stdout: string): Outcome => ({ exitCode: EXIT.done, stdout, stderr: '' });

async function begun(control: FaultControl, name: FaultName, given: GivenFault): Promise<string> {
  const did = await FAULT_KINDS[name].begin(control, given);
  const ends =
    given.seconds === null
      ? `It lasts until: npm run dev:fault -- ${name} --clear`
      : `It ends by itself after ${given.seconds} s, or with: npm run dev:fault -- ${name} --clear`;
  return `${name}: ${did}.\n${FAULT_KINDS[name].sees}\n${ends}\n`;
}

async function cleared(control: FaultControl, names: readonly FaultName[]): Promise<string> {
  const controls = await control.read();
  const ended: string[] = [];
  for (const name of names) {
    const kind: FaultKind = FAULT_KINDS[name];
    const active = kind.activeIn(controls);
    if (active.length === 0) continue;
    await kind.end(control, active);
    ended.push(...active.map(({ chain, subject }) => `${name}: ended on ${subject} of chain ${chain}.\n`));
  }
  return ended.length === 0 ? 'There is no such fault to end.\n' : ended.join('');
}

async function listed(control: FaultControl): Promise<string> {
  const controls = await control.read();
  const lines = FAULT_NAMES.flatMap((name) => FAULT_KINDS[name].activeIn(controls).map((one) => lineOf(name, one)));
  return lines.length === 0 ? 'There is no fault.\n' : lines.join('');
}

const lineOf = (name: FaultName, { chain, subject, effect, until }: ActiveFault): string =>
  `${name.padEnd(15)}${effect} on ${subject} of chain ${chain}${until === null ? '' : `, until ${until}`}\n`;

/** @throws UsageError */
function readTask(args: readonly string[]): Task {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: 'help' };
  const [name, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One fault at a time: ${more[0]} is one too many.`);
  if (name !== undefined && !isFault(name))
    throw new UsageError(`There is no fault ${name}: use ${FAULT_NAMES.join(', ')}.`);
  if (values.list) return { kind: 'list' };
  if (values.clear) return { kind: 'clear', names: name === undefined ? FAULT_NAMES : [name] };
  if (name === undefined) throw new UsageError(`Name a fault: ${FAULT_NAMES.join(', ')}.`);
  const allowed: readonly FaultOption[] = FAULT_KINDS[name].options;
  for (const option of Object.keys(OPTION_TEXTS) as FaultOption[])
    if (values[option] !== undefined && !allowed.includes(option))
      throw new UsageError(`${name} has no option --${option}.`);
  if (values.transaction !== undefined && values.blocks !== undefined)
    throw new UsageError('--transaction and --blocks exclude each other.');
  return {
    kind: 'begin',
    name,
    given: {
      chain: oneOf('chain', CHAINS, values.chain) as Chain | null,
      provider: values.provider ?? null,
      blocks: whole('blocks', 100_000, values.blocks),
      transaction: matching('transaction', /^0x[0-9a-f]{64}$/, 'a transaction hash in lowercase', values.transaction),
      about: oneOf('about', LIE_SUBJECTS, values.about),
      how: oneOf('how', OUTAGE_FORMS, values.how),
      usd: matching('usd', /^\d{1,12}(\.\d{1,8})?$/, 'a price with at most 8 decimals', values.usd),
      age: whole('age', 86_400_000, values.age),
      seconds: whole('for', 86_400, values.for),
    },
  };
}

const isFault = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        chain: { type: 'string' },
        provider: { type: 'string' },
        blocks: { type: 'string' },
        transaction: { type: 'string' },
        about: { type: 'string' },
        how: { type: 'string' },
        usd: { type: 'string' },
        age: { type: 'string' },
        for: { type: 'string' },
        clear: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n', 1)[0]);
  }
}

function oneOf<T extends string>(option: string, values: readonly T[], given: string | undefined): T | null {
  if (given === undefined) return null;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${option} is ${values.join(' or ')}, not ${given}.`);
  return found;
}

function matching(option: string, pattern: RegExp, what: string, given: string | undefined): string | null {
  if (given === undefined) return null;
  if (!pattern.test(given)) throw new UsageError(`--${option} is ${what}, not ${given}.`);
  return given;
}

function whole(option: string, max: number, given: string | undefined): number | null {
  const text = matching(option, /^[1-9]\d{0,8}$/, `a whole number from 1 to ${max}`, given);
  if (text === null) return null;
  if (Number(text) > max) throw new UsageError(`--${option} is a whole number from 1 to ${max}, not ${text}.`);
  return Number(text);
}
