import { parseArgs } from 'node:util';
import type { GivenSettings } from './settings.js';

/** The examples that a start runs before it waits or ends. */
export type Examples = 'none' | 'first' | 'all';

export interface StartOptions {
  readonly examples: Examples;
  /** Ends after the examples. */
  readonly once: boolean;
  /** `stack.json` as the last line of stdout; everything else on stderr. */
  readonly json: boolean;
  /** New chains; the state that is there is moved aside. */
  readonly fresh: boolean;
  readonly settings: GivenSettings['options'];
}

export type GivenOptions =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

export const HELP = `usage: npm start [-- option …]

Starts the whole product with two development chains, runs one launch to its finalized record, and runs until Ctrl-C.

  --all                    runs every reference launch, launches of every source and a reviewed module, then stays up
  --once                   runs the same and ends: 0 if everything succeeded, else 1
  --no-launch              runs no launch
  --json                   prints stack.json as the last line of stdout; progress goes to stderr
  --fresh                  starts new chains; the state of the old ones is moved aside
  --policy <name>          instruction policy of the context: reachable (default) or v2 (LAUNCH_POLICY)
  --finality <name>        finality of multi-role launches: v2 (default) or v3 (LAUNCH_FINALITY)
  --profile <name>         profile of custom launches and plans: 4.1 (default) or 4.0 (LAUNCH_PROFILE)
  --finality-seconds <n>   seconds from inclusion to finality, 2 to 86400; default 10 (LAUNCH_FINALITY_SECONDS)
  -h, --help               prints this text

State is in .data, or in LAUNCH_DATA_DIR. tools/start/README.md describes every variable.
`;

/** Reads the options of `npm start`. A setting that has no option comes from its variable. */
export function readStartOptions(args: readonly string[], env: NodeJS.ProcessEnv): GivenOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        all: { type: 'boolean', default: false },
        once: { type: 'boolean', default: false },
        'no-launch': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        policy: { type: 'string' },
        finality: { type: 'string' },
        profile: { type: 'string' },
        'finality-seconds': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values['no-launch'] && (values.all || values.once))
      return { kind: 'refused', reason: `--no-launch and --${values.all ? 'all' : 'once'} exclude each other` };
    const setting = (option: keyof GivenSettings['options'], variable: string, otherwise: string) => {
      const given = values[option];
      return given === undefined
        ? { name: variable, value: env[variable] || otherwise }
        : { name: `--${option}`, value: given };
    };
    const { once, json, fresh } = values;
    return {
      kind: 'start',
      options: {
        examples: values.all || once ? 'all' : values['no-launch'] ? 'none' : 'first',
        once,
        json,
        fresh,
        settings: {
          policy: setting('policy', 'LAUNCH_POLICY', 'reachable'),
          finality: setting('finality', 'LAUNCH_FINALITY', 'v2'),
          profile: setting('profile', 'LAUNCH_PROFILE', '4.1'),
          'finality-seconds': setting('finality-seconds', 'LAUNCH_FINALITY_SECONDS', '10'),
        },
      },
    };
  } catch (error) {
    return { kind: 'refused', reason: (error as Error).message.split('\n', 1)[0] as string };
  }
}
