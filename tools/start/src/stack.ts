import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import { addressesOfGateway, namespacesOf, stackSchema, type Stack } from './stack.schema.js';
import type { CustomLaunchProfileName, FinalityName, PolicyName } from '@launch/evm';
import { orAborted } from '@launch/platform/processes';
import type { PostgresServer } from '@launch/postgres-server';
import { PRISMA_SERVICES } from '@launch/prisma-tools';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { writeAdminCommand } from './admin-command.js';
import { chooseChainPorts, rememberChains, settleKept, startChains, type Chains } from './chains.js';
import { closeDataFolder, openDataFolder, openSecrets, writePrivate } from './data-folder.js';
import type { DataFolder, Secrets } from './data-folder.js';
import { externalDatabases, prepareDatabases, startDatabaseServer } from './databases.js';
import { observerUrls, urlsOf } from './development-context.js';
import { runtimeReleaseOf } from './runtime-release.js';
import { externalChains, type ChainsView } from './external-chains.js';
import { openGatesOnce } from './launch-gates.js';
import { Ports } from './ports.js';
import { programBundles } from './program-bundles.js';
import { promoteWorkers } from './promote-workers.js';
import { publishContexts } from './published-contexts.js';
import { publishReviewerPolicy } from './reviewer-policy.js';
import { FIRST_WORD_MS, remind, REMIND_MS, silentProgress, type Progress } from './progress.js';
import { PORT_VARIABLES, settleSite } from './site-settings.js';
import type { Service, ServiceName, ServiceWorld, TwinName } from './services.js';
import { SERVICE_NAMES, servicesOf, startService, twinOf } from './services.js';
import { Supervised, type Running } from './supervisor.js';

export interface StackOptions {
  /** Folder of the state. */
  dir: string;
  /** Opcode policy of the published context; default `reachable`. */
  policy?: PolicyName;
  /** Finality generation of the published context; default `v2`. */
  finality?: FinalityName;
  /** Profile of the published context of custom launches and plans; default `4.1`. */
  profile?: CustomLaunchProfileName;
  /** Seconds from inclusion to an Ethereum-finalized checkpoint; default 10. */
  finalitySeconds?: number;
  /** Milliseconds between blocks of chains on which nothing happens; default theirs, 0 keeps the normal pace always. */
  idleBlockMs?: number;
  /**
   * False forces neither databases nor workflows to the disk: what was written outlives killed processes, not a machine that
   * loses its power. For stacks of tests; default true.
   */
  durable?: boolean;
  /** Begin new chains; data of the old ones is moved aside. */
  fresh?: boolean;
  /** On new chains: launch through Ethereum's first router before it ends. Default: it ends without a coin. */
  launchBeforeEnd?: boolean;
  /** Asks the person at the terminal whether to begin anew; absent: such a start is refused. */
  confirm?: (question: string) => Promise<boolean>;
  /** Variables that replace embedded parts, set ports, or are passed to services; default the process's own. */
  env?: NodeJS.ProcessEnv;
  /** Further variables of single services: the folder of a crash test's failpoints. */
  serviceEnv?: Partial<Record<ServiceName, Record<string, string>>>;
  /** Starts a second process of each service, or of those named, beside the first, on the same databases and task queues. */
  twins?: boolean | readonly ServiceName[];
  /** Services that this stack does without; default none. */
  without?: readonly ServiceName[];
  /** Starts the website too, and lets wallets sign in on it; default false. */
  site?: boolean;
  progress?: Progress;
  /** Gives up a start that is under way, what is waited for included; nothing of it is left. */
  signal?: AbortSignal;
  /** Called when something that the stack cannot do without is gone for good. */
  onFatal?: (reason: string) => void;
}

export type ComponentName = ServiceName | TwinName | 'postgres' | 'temporal' | 'chains';

export interface RunningStack {
  stack: Stack;
  services: {
    pid(name: ComponentName): number | undefined;
    /** Ends a component by a signal; unless `hold`, its supervisor starts it again. Resolves when it has ended. */
    kill(name: ComponentName, signal?: NodeJS.Signals, options?: { hold?: boolean }): Promise<void>;
    /** Starts what was held. */
    resume(name: ComponentName): Promise<void>;
    /** Resolves when the component runs and is healthy (again). */
    up(name: ComponentName): Promise<void>;
    /** Stops a service cleanly and starts it with other variables. */
    restart(name: ServiceName, env?: Record<string, string>): Promise<void>;
    url(name: ServiceName | TwinName): string | undefined;
    operationsUrl(name: ServiceName | TwinName): string | undefined;
  };
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../../..');
const DEFAULT_FINALITY_SECONDS = 10;

/**
 * Brings the whole product up on this machine; on failure everything that was started is stopped again.
 * @throws the signal's reason when the start is given up.
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  options.signal?.throwIfAborted();
  const folder = await openDataFolder(options.dir);
  const starting = new StackStart(options, folder);
  try {
    return await orAborted(starting.run(), options.signal);
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

class StackStart {
  readonly #components = new Map<ComponentName, Supervised<Running>>();
  readonly #order: Supervised<Running>[] = [];
  readonly #serviceEnv: Partial<Record<ServiceName, Record<string, string>>>;
  readonly #progress: Progress;
  readonly #env: NodeJS.ProcessEnv;
  readonly #durable: boolean;
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(
    private readonly options: StackOptions,
    private readonly folder: DataFolder,
  ) {
    this.#serviceEnv = { ...options.serviceEnv };
    this.#progress = options.progress ?? silentProgress;
    this.#env = options.env ?? process.env;
    this.#durable = options.durable ?? true;
  }

  async run(): Promise<RunningStack> {
    const { folder } = this;
    const programs = await programBundles(root);
    const secrets = await openSecrets(folder);
    const ports = await Ports.open(folder, this.#stopping.signal);
    const chains = await this.#chains(secrets, ports, programs);
    const [databases, temporal] = await Promise.all([this.#databases(secrets, ports), this.#temporal(ports)]);
    const world: ServiceWorld = {
      folder,
      secrets,
      root,
      programs,
      ...databases,
      temporal,
      env: this.#env,
      reviewerPolicyFile: await publishReviewerPolicy(folder, secrets),
      operationsPort: await ports.choose('operations', Number(this.#env['OPERATIONS_PORT'] ?? 0)),
      reviewerPort: await ports.choose('review-console', Number(this.#env['REVIEWER_PORT'] ?? 0)),
      ...chains,
      site: this.options.site === true ? await settleSite(folder, ports, this.#env, chains) : null,
    };
    const adminCommand = await writeAdminCommand({ ...world, databaseUrl: databases.urls['api-gateway'] });
    const [gateway] = await Promise.all([
      this.#services(world, ports, adminCommand),
      // Who brings chains of their own decides about their gates.
      chains.controller === null ? undefined : openGatesOnce(adminCommand),
    ]);
    await ports.save();
    const stack = stackSchema.parse({
      schemaVersion: 'launch.stack.v1',
      ...addressesOfGateway(gateway, world.site?.url ?? this.#env['SITE_URL']),
      reviewer: `http://127.0.0.1:${world.reviewerPort}`,
      temporal,
      rpc: { '4663': urlsOf(chains.rpc['4663']), '1': urlsOf(chains.rpc['1']) },
      faults: chains.faults,
      controller: chains.controller,
      adminCommand,
      dataDir: folder.root,
    });
    await writePrivate(folder.stackFile, `${JSON.stringify(stack, null, 2)}\n`);
    return { stack, services: this.#handles(), stop: () => this.stop() };
  }

  /** In the reverse order of the start; parts that started side by side stop side by side. Says what takes its time. */
  stop(): Promise<void> {
    return (this.#stopped ??= (async () => {
      this.#stopping.abort();
      const services = this.#order.filter(({ name }) =>
        SERVICE_NAMES.some((service) => name === service || name === twinOf(service)),
      );
      const left = new Set(this.#order.map(({ name }) => name));
      const stopOne = (component: Supervised<Running>): Promise<void> =>
        component.stop().finally(() => left.delete(component.name));
      const tell = remind(
        () => this.#progress.line(`  … waiting for ${[...left].join(', ')} to end`),
        FIRST_WORD_MS,
        REMIND_MS,
      );
      try {
        await Promise.allSettled(services.map(stopOne));
        await Promise.allSettled(this.#order.filter((component) => !services.includes(component)).map(stopOne));
      } finally {
        tell.stop();
      }
      await closeDataFolder(this.folder);
    })());
  }

  /** @throws AbortError once everything is being stopped: nothing begins any more. */
  #supervise<T extends Running>(name: ComponentName, begin: (signal: AbortSignal) => Promise<T>): Supervised<T> {
    this.#stopping.signal.throwIfAborted();
    const { line } = this.#progress;
    const component = new Supervised<T>(name, begin, {
      onCrash: (crashed, attempt, delayMs) =>
        line(
          `  ! ${crashed} ended unexpectedly; starting it again in ${delayMs / 1000} s (attempt ${attempt}); its log is in ${this.folder.logs}`,
        ),
      onRestarted: (restarted) => line(`  ✔ ${restarted} runs again`),
      onGivenUp: (lost, error) =>
        this.options.onFatal?.(
          `${lost} does not start any more: ${error instanceof Error ? error.message : String(error)}`,
        ),
    });
    this.#components.set(name, component);
    this.#order.push(component);
    return component;
  }

  async #chains(secrets: Secrets, ports: Ports, programs: string): Promise<ChainsView> {
    const external = await externalChains(this.#env);
    if (external !== undefined) return external;
    const { folder, options } = this;
    const finalitySeconds = options.finalitySeconds ?? DEFAULT_FINALITY_SECONDS;
    const mixed = [...externalDatabases(this.#env), ...(this.#env['TEMPORAL_ADDRESS'] ? ['TEMPORAL_ADDRESS'] : [])];
    const movedTo = await settleKept({
      folder,
      secrets,
      fresh: options.fresh ?? false,
      confirm: options.confirm,
      external: mixed,
    });
    if (movedTo !== undefined)
      this.#progress.line(
        `  ! the chains are new: the databases, workflows and chains that were here are in ${movedTo}`,
      );
    const chosen = await chooseChainPorts(folder, ports);
    const component = this.#supervise<Chains>('chains', (signal) =>
      startChains({ folder, root, programs, ports: chosen, finalitySeconds, idleBlockMs: options.idleBlockMs, signal }),
    );
    const { devnet } = await this.#progress.step(
      'chains',
      () => component.start(),
      (chains) =>
        `${chains.devnet.resumed ? 'as they were' : 'new'}; 4663 at ${chains.devnet.rpc['4663'].map((provider) => provider.url).join(' and ')}`,
    );
    await rememberChains(folder, devnet.genesis);
    // The context commits to these ports, and a start that is given up from here on has published it.
    await ports.save();
    const { isAnother, ...published } = await publishContexts(devnet, {
      folder,
      policy: options.policy,
      finality: options.finality,
      profile: options.profile,
      release: await runtimeReleaseOf(root),
      isNew: movedTo !== undefined,
      launchBeforeEnd: options.launchBeforeEnd,
      progress: this.#progress,
    });
    if (isAnother)
      this.#progress.line(
        '  ! the published context is another than last time: requests packed before have to be packed again',
      );
    return {
      rpc: { '4663': observerUrls(devnet.rpc['4663']), '1': observerUrls(devnet.rpc['1']) },
      ...published,
      finalitySeconds,
      permitKeyFile: devnet.permitAuthority.privateKeyFile,
      faults: devnet.faultsUrl,
      controller: {
        address: devnet.controller.address.toLowerCase(),
        privateKeyFile: devnet.controller.privateKeyFile,
      },
    };
  }

  async #databases(
    secrets: Secrets,
    ports: Ports,
  ): Promise<Pick<ServiceWorld, 'urls' | 'publishedUrls' | 'guestUrls'>> {
    const external = externalDatabases(this.#env);
    let server: Supervised<PostgresServer> | undefined;
    if (external.length < PRISMA_SERVICES.length) {
      server = this.#supervise('postgres', (signal) =>
        startDatabaseServer(this.folder, secrets, ports, this.#durable, signal),
      );
      await this.#progress.step(
        'PostgreSQL',
        () => (server as Supervised<PostgresServer>).start(),
        (running) => `127.0.0.1:${running.port}${running.origin === 'adopted' ? ', already running' : ''}`,
      );
    }
    return this.#progress.step(
      'databases',
      () => prepareDatabases(server, secrets, this.#env, this.#stopping.signal),
      ({ applied }) =>
        `${PRISMA_SERVICES.length}, each with a role of its own; ${applied} migrations applied${external.length > 0 ? `; from ${external.join(', ')}` : ''}`,
    );
  }

  async #temporal(ports: Ports): Promise<Stack['temporal']> {
    const address = this.#env['TEMPORAL_ADDRESS'];
    if (address)
      return {
        address,
        ...namespacesOf(this.#env),
        ui: this.#env['TEMPORAL_UI_URL'] || null,
      };
    const port = await ports.choose('temporal', Number(this.#env['TEMPORAL_PORT'] ?? 0));
    const uiPort = await ports.choose('temporal-ui', Number(this.#env['TEMPORAL_UI_PORT'] ?? 0));
    let say: ((detail: string) => void) | undefined;
    const component = this.#supervise<TemporalServer>('temporal', (signal) =>
      startTemporal({
        signal,
        dbFile: this.folder.temporalDb,
        durable: this.#durable,
        port,
        uiPort,
        searchAttributes: SEARCH_ATTRIBUTE_TYPES,
        logFile: path.join(this.folder.logs, 'temporal.log'),
        progress: (message) => say?.(message),
      }),
    );
    const server = await this.#progress.step(
      'Temporal',
      (tell) => {
        say = tell;
        return component.start();
      },
      (running) => `${running.address}, UI ${running.ui ?? 'off'}`,
    );
    // Histories will hold permits that are not sent yet; the server makes its files readable for everybody. It is asked to
    // make them itself: a file that is there already it takes for one that has its tables.
    const { temporalDb } = this.folder;
    for (const file of [temporalDb, `${temporalDb}-wal`, `${temporalDb}-shm`].filter((one) => existsSync(one)))
      await chmod(file, 0o600);
    return { address: server.address, ...namespacesOf({}), ui: server.ui };
  }

  async #services(world: ServiceWorld, ports: Ports, adminCommand: readonly string[]): Promise<Service> {
    const start = async (name: ServiceName, instance: ServiceName | TwinName = name): Promise<Service> => {
      const port =
        instance === 'review-console'
          ? world.reviewerPort
          : await ports.choose(
              instance,
              PORT_VARIABLES[name] === undefined ? 0 : Number(this.#env[PORT_VARIABLES[name]] ?? 0),
            );
      const component = this.#supervise(instance, (signal) =>
        startService(name, world, port, this.#serviceEnv[name] ?? {}, instance, signal),
      );
      return this.#progress.step(
        instance,
        () => component.start(),
        (running) => running.url,
      );
    };
    const startAll = async (
      names: readonly ServiceName[],
      instanceOf: (name: ServiceName) => ServiceName | TwinName,
    ): Promise<void> => {
      const started = await Promise.allSettled(names.map((name) => start(name, instanceOf(name))));
      for (const one of started) if (one.status === 'rejected') throw one.reason;
    };
    const { twins = false, without = [] } = this.options;
    const names = servicesOf(world, without);
    // The gateway starts last: when it takes requests, their workers are running.
    await startAll(
      names.filter((name) => name !== 'api-gateway' && name !== 'site'),
      (name) => name,
    );
    const [gateway] = await Promise.all([
      start('api-gateway'),
      names.includes('site') ? start('site') : undefined,
      promoteWorkers(adminCommand, names),
    ]);
    await startAll(typeof twins === 'boolean' ? (twins ? names : []) : twins, twinOf);
    return gateway;
  }

  #handles(): RunningStack['services'] {
    const find = (name: ComponentName): Supervised<Running> => {
      const component = this.#components.get(name);
      if (component === undefined) throw new Error(`${name} is no part of this stack`);
      return component;
    };
    return {
      pid: (name) => find(name).current?.pid,
      kill: (name, signal = 'SIGKILL', { hold = false } = {}) => find(name).kill(signal, hold),
      resume: async (name) => void (await find(name).resume()),
      up: async (name) => void (await find(name).up()),
      restart: async (name, env) => {
        if (env !== undefined) this.#serviceEnv[name] = env;
        await find(name).kill('SIGTERM', true);
        await find(name).resume();
      },
      url: (name) => (find(name).current as Service | undefined)?.url,
      operationsUrl: (name) => (find(name).current as Service | undefined)?.operationsUrl,
    };
  }
}
