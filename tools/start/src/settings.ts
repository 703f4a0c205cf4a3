import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ChainError, parseObserverUrls } from '@launch/chain';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { CUSTOM_LAUNCH_PROFILE_NAMES, FINALITY_NAMES, POLICY_NAMES } from '@launch/evm';
import { ConfigError, databaseUrl, loadConfig, port, temporalFields, textFile } from '@launch/platform';
import { isProcessAlive } from '@launch/platform/processes';
import { PRISMA_SERVICES } from '@launch/prisma-tools';
import { z } from 'zod';
import { CHAIN_VARIABLES, externalChains } from './external-chains.js';
import { isFree } from './ports.js';
import { CHECK_PROGRAM, programBundles } from './program-bundles.js';
import { PASSED_ON } from './services.js';

/** A rejected setting, in a form that may be shown, and the allowed values. */
export interface SettingProblem {
  /** Variable or option. */
  readonly name: string;
  readonly value: string | undefined;
  readonly problem: string;
}

export interface GivenSettings {
  /** Values of the options that replace a variable, or of the variable if the option is absent. */
  readonly options: Readonly<
    Record<'policy' | 'finality' | 'profile' | 'finality-seconds', { readonly name: string; readonly value: string }>
  >;
  /** The folder of the state, absolute. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The repository. */
  readonly root: string;
}

const run = promisify(execFile);

const PORTS = {
  PORT: { named: 'api-gateway', left: 'run/api-gateway.pid' },
  OPERATIONS_PORT: { named: 'operations', left: 'run/api-gateway.pid' },
  REVIEWER_PORT: { named: 'review-console', left: 'run/review-console.pid' },
  POSTGRES_PORT: { named: 'postgres', left: 'postgres/postmaster.pid' },
  TEMPORAL_PORT: { named: 'temporal', left: 'temporal.sqlite.pid' },
  TEMPORAL_UI_PORT: { named: 'temporal-ui', left: 'temporal.sqlite.pid' },
} as const;

/** They may carry passwords and keys: of these a place is shown and nothing else. */
const SECRET = /_DATABASE_URL$|^RPC_\d+_URLS$/;

/** Everything that is wrong with the settings of a start, at once, before anything is started or written. */
export async function settingProblems({ options, dir, env, root }: GivenSettings): Promise<SettingProblem[]> {
  const found = await Promise.all([
    optionProblems(options),
    folderProblems(dir),
    portProblems(dir, env),
    elsewhereProblems(env),
    gatewayProblems(env, root),
  ]);
  return found.flat();
}

/** One line: the setting, its value where that is no secret, and what is allowed. */
export function describeProblem({ name, value, problem }: SettingProblem): string {
  return value === undefined
    ? `${name}: ${problem}`
    : `${name}=${oneLine(SECRET.test(name) ? placesOf(value) : value)}: ${problem}`;
}

const SHOWN_CHARACTERS = 120;

function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
  return clean.length <= SHOWN_CHARACTERS ? clean : `${clean.slice(0, SHOWN_CHARACTERS - 1)}…`;
}

/** Returns scheme and host of each URL in a list. Other texts are not shown, because their contents are unknown. */
const placesOf = (list: string): string =>
  list
    .split(',')
    .map((part) => {
      const [, id = '', text = ''] = /^([\w.-]*=)?(.*)$/s.exec(part.trim()) ?? [];
      const url = URL.parse(text);
      return url === null || url.host === '' ? `${id}[not shown]` : `${id}${url.protocol}//${url.host}/…`;
    })
    .join(',');

const problem =
  (env: NodeJS.ProcessEnv) =>
  (name: string, text: string): SettingProblem => ({ name, value: env[name] || undefined, problem: text });

/** The bounds are those of the development chains. */
const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().min(2).max(86_400));

async function optionProblems(options: GivenSettings['options']): Promise<SettingProblem[]> {
  const { policy, finality, profile, 'finality-seconds': finalitySeconds } = options;
  const oneOf = (given: { name: string; value: string }, names: readonly string[]): SettingProblem[] =>
    names.includes(given.value) ? [] : [{ ...given, problem: `must be ${names.join(' or ')}` }];
  return [
    ...oneOf(policy, POLICY_NAMES),
    ...oneOf(finality, FINALITY_NAMES),
    ...oneOf(profile, CUSTOM_LAUNCH_PROFILE_NAMES),
    ...(seconds.safeParse(finalitySeconds.value).success
      ? []
      : [{ ...finalitySeconds, problem: 'must be a number of seconds from 2 to 86400' }]),
  ];
}

/** Tries the nearest folder that is there: one is made in it and taken away again. */
async function folderProblems(dir: string): Promise<SettingProblem[]> {
  const refuse = (text: string): SettingProblem[] => [
    { name: 'LAUNCH_DATA_DIR', value: dir, problem: `${text}; give a folder that this user may make and write` },
  ];
  for (let folder = dir; ; folder = path.dirname(folder)) {
    const found = await kindOf(folder);
    if (found === 'absent') continue;
    if (found === 'other')
      return refuse(folder === dir ? 'is no folder' : `cannot be made: ${oneLine(folder)} is no folder`);
    try {
      await rmdir(await mkdtemp(path.join(folder, '.launch-')));
      return [];
    } catch (error) {
      return refuse(
        `cannot be ${folder === dir ? 'written' : `made in ${oneLine(folder)}`} (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      );
    }
  }
}

async function kindOf(place: string): Promise<'folder' | 'other' | 'absent'> {
  try {
    return (await stat(place)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    // An unreadable file is tried anyway, so that the error has the system's own reason.
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'folder';
  }
}

async function portProblems(dir: string, env: NodeJS.ProcessEnv): Promise<SettingProblem[]> {
  const about = problem(env);
  const names = Object.keys(PORTS) as (keyof typeof PORTS)[];
  const wanted = new Map<number, string>();
  const problems: SettingProblem[] = [];
  for (const name of names) {
    const text = env[name];
    if (!text) continue;
    const parsed = port().safeParse(text);
    const number = parsed.data ?? 0;
    const other = wanted.get(number);
    if (!parsed.success) problems.push(about(name, 'must be a port number from 1 to 65535, or 0 for a free one'));
    else if (number !== 0 && other !== undefined)
      problems.push(about(name, `is ${other} too; each needs a port of its own`));
    else if (number !== 0 && !(await isFree(number)) && !(await isOurs(path.join(dir, PORTS[name].left))))
      problems.push(
        about(
          name,
          'cannot be listened on at 127.0.0.1: another program has it, or this user may not; give a free port, or 0 for one',
        ),
      );
    if (number !== 0) wanted.set(number, name);
  }
  return problems;
}

/** A process that an earlier start left in this folder is ended, or taken over, by this one. */
async function isOurs(pidFile: string): Promise<boolean> {
  const [first] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  return Number.isSafeInteger(pid) && pid > 1 && isProcessAlive(pid);
}

const TEMPORAL = temporalFields(NAMESPACES.launches);

/** Databases, Temporal and chains that are not ours. */
async function elsewhereProblems(env: NodeJS.ProcessEnv): Promise<SettingProblem[]> {
  const about = problem(env);
  const databases = Object.fromEntries(
    PRISMA_SERVICES.map(({ urlVariable }) => [urlVariable, databaseUrl().optional()]),
  );
  const problems = refusedBy(z.object({ ...databases, ...TEMPORAL }), env).map(({ variable, problem: text }) =>
    about(variable, text),
  );
  const given = CHAIN_VARIABLES.filter((variable) => env[variable]);
  if (given.length === 0) return problems;
  try {
    await externalChains(env);
  } catch (error) {
    problems.push(about(given[0] ?? '', error instanceof Error ? error.message : String(error)));
  }
  for (const variable of given.filter((name) => SECRET.test(name))) {
    try {
      parseObserverUrls(variable, env[variable] ?? '');
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      problems.push(
        about(variable, `${String(error.data['problem'])}; allowed is id=https://…,id=https://… of two providers`),
      );
    }
  }
  const files = Object.fromEntries(given.filter((name) => name.endsWith('_FILE')).map((name) => [name, textFile()]));
  return [...problems, ...refusedBy(z.object(files), env).map(({ variable, problem: text }) => about(variable, text))];
}

function refusedBy(schema: z.ZodObject, env: NodeJS.ProcessEnv): ConfigError['problems'] {
  try {
    // Here a name that ends with _FILE is a variable of its own, never another place for a value.
    loadConfig(schema, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name]])));
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const checkSchema = z.strictObject({
  schemaVersion: z.literal('launch.configuration-check.v1'),
  problems: z.array(z.strictObject({ variable: z.string(), problem: z.string() })),
});

/** Checks the settings that are passed to the gateway, with the gateway's own rules. */
async function gatewayProblems(env: NodeJS.ProcessEnv, root: string): Promise<SettingProblem[]> {
  const about = problem(env);
  const handed = Object.fromEntries(PASSED_ON.map((name) => [name, env[name]]).filter(([, value]) => value));
  if (Object.keys(handed).length === 0) return [];
  const program = path.join(await programBundles(root), CHECK_PROGRAM);
  // The start makes these later. Any value of the right form does here: only the rules between settings are judged.
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-settings-'));
  const publicKey = path.join(folder, 'public-key.pem');
  await writeFile(publicKey, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
  const inPlace = {
    DATABASE_URL: 'postgresql://127.0.0.1/launch_gateway',
    BLOB_STORE: root,
    CREDENTIAL_PEPPER_FILE: program,
    CURSOR_KEY_FILE: program,
    ADMISSION_PUBLIC_KEY_FILE: publicKey,
    FINALITY_PUBLIC_KEY_FILE: publicKey,
  };
  // Exit code 2 says that there are problems, and the output which.
  const { stdout } = await run(process.execPath, [program], {
    env: { PATH: env['PATH'] ?? '', ...inPlace, ...handed },
  }).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  await rm(folder, { recursive: true });
  const { problems } = checkSchema.parse(JSON.parse(stdout));
  const known = new Set<string>([...PASSED_ON, 'SIWE_ORIGIN']);
  return problems
    .filter(({ variable }) => known.has(variable) && !(variable in TEMPORAL))
    .map(({ variable, problem: text }) => about(variable, text));
}
