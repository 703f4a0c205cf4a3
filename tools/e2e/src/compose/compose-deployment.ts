import { appendFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@launch/start';
import { cloneRelease, commitOf } from '../deployed/built-images.js';
import { OperatorFiles } from '../deployed/operator-files.js';
import { runProgram } from '../deployed/run-program.js';
import { GENEROUS } from '../stacks/generous-quotas.js';
import type { ExposedChains } from './exposed-chains.js';

/** The name of the project: its containers and volumes are apart from those of a deployment on the same machine. */
const PROJECT = 'launch-test';
const HEALTHY_WITHIN_MS = 300_000;
const POLL_MS = 500;

const root = path.resolve(import.meta.dirname, '../../../..');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A container of the project. */
export interface Container {
  readonly service: string;
  readonly id: string;
  /** Process id on this machine; 0 unless the container runs. */
  readonly pid: number;
  readonly restarts: number;
  readonly health: string;
  readonly memoryBytes: number;
}

interface Inspected {
  readonly Id: string;
  readonly RestartCount: number;
  readonly State: { readonly Pid: number; readonly Health?: { readonly Status: string }; readonly Status: string };
  readonly HostConfig: { readonly Memory: number };
  readonly Config: { readonly Labels: Readonly<Record<string, string>> };
}

/** A clone of the repository that Compose deploys, as deploy/README.md describes it. */
export class ComposeDeployment {
  readonly gateway: string;
  readonly site: string;

  private constructor(
    readonly release: string,
    private readonly chains: ExposedChains,
    private readonly ports: Readonly<Record<'gateway' | 'site' | 'reviewer' | 'temporal', number>>,
  ) {
    this.gateway = `http://127.0.0.1:${ports.gateway}`;
    this.site = `http://127.0.0.1:${ports.site}`;
  }

  /**
   * Clones the commit of the repository and writes the operator's files: secrets, context, policies and settings.
   * @param images settings of `deploy/.env` that name base images.
   */
  static async prepare(folder: string, chains: ExposedChains, images: string): Promise<ComposeDeployment> {
    const release = path.join(folder, 'release');
    const source = process.env['COMPOSE_TEST_SOURCE'] ?? root;
    await cloneRelease(source, release);
    const ports = {
      gateway: await freePort(),
      site: await freePort(),
      reviewer: await freePort(),
      temporal: await freePort(),
    };
    const deployment = new ComposeDeployment(release, chains, ports);
    await deployment.#writeSettings(images);
    const files = new OperatorFiles(release, chains, source);
    await files.writeSecrets();
    await files.writeDocuments();
    return deployment;
  }

  /** The commit of the clone. */
  commit(): Promise<string> {
    return commitOf(this.release);
  }

  /** Runs Compose in the clone, as the guide does. */
  async compose(args: readonly string[], { shown = false } = {}): Promise<string> {
    return runProgram(['docker', 'compose', '--env-file', 'deploy/.env', ...args], {
      cwd: this.release,
      env: await this.environment(),
      shown,
    });
  }

  /** The environment of commands of the guide and the runbooks. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    return { ...process.env, COMPOSE_PROJECT_NAME: PROJECT, SOURCE_COMMIT: await this.commit() };
  }

  /** Appends settings to `deploy/.env`. A later line replaces an earlier one. */
  set(settings: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    return appendFile(this.#file('.env'), lines.join(''));
  }

  async up(): Promise<void> {
    await this.compose(['--progress', 'plain', 'up', '--build', '--wait'], { shown: true });
  }

  /** Builds all images anew, without anything of an earlier build, under the version of the settings. */
  async buildAnew(): Promise<void> {
    await this.compose(['--profile', '*', '--progress', 'plain', 'build', '--no-cache'], { shown: true });
  }

  /** Returns the digests of the layers of each image of a version. */
  async layers(version: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const shown = await this.compose(['--profile', '*', 'config', '--images']);
    const images = [...new Set(shown.split('\n'))].filter((image) => image.startsWith('launch/')).sort();
    const layers: Record<string, readonly string[]> = {};
    for (const image of images) {
      const name = image.replace(/:.*/, '');
      const inspect = ['docker', 'image', 'inspect', '--format', '{{json .RootFS.Layers}}', `${name}:${version}`];
      layers[name] = JSON.parse(await runProgram(inspect, { cwd: this.release })) as readonly string[];
    }
    return layers;
  }

  /** Removes containers, networks and volumes. */
  async destroy(): Promise<void> {
    await this.compose(['--profile', '*', 'down', '--volumes']);
  }

  /** The running and ended containers of the project. */
  async containers(): Promise<readonly Container[]> {
    const ids = (await this.compose(['ps', '--all', '--quiet'])).split('\n').filter((id) => id !== '');
    const inspected = JSON.parse(
      await runProgram(['docker', 'inspect', ...ids], { cwd: this.release }),
    ) as readonly Inspected[];
    return inspected.map(({ Id, RestartCount, State, HostConfig, Config }) => ({
      service: Config.Labels['com.docker.compose.service'] ?? '',
      id: Id,
      pid: State.Pid,
      restarts: RestartCount,
      health: State.Health?.Status ?? State.Status,
      memoryBytes: HostConfig.Memory,
    }));
  }

  async container(service: string): Promise<Container> {
    const found = (await this.containers()).find((one) => one.service === service);
    if (found === undefined) throw new Error(`${service} has no container`);
    return found;
  }

  /** Kills the process of a container, as a crash does. An engine does not restart what `docker kill` ends. */
  async crash(service: string): Promise<void> {
    const { pid } = await this.container(service);
    if (pid === 0) throw new Error(`${service} does not run`);
    process.kill(pid, 'SIGKILL');
  }

  /** Waits until a container was restarted and is healthy. */
  async restarted(service: string, before: Container): Promise<Container> {
    const until = Date.now() + HEALTHY_WITHIN_MS;
    for (;;) {
      const now = await this.container(service);
      if (now.restarts > before.restarts && ['healthy', 'running'].includes(now.health)) return now;
      if (Date.now() > until) throw new Error(`${service} is ${now.health} after ${now.restarts} restarts`);
      await sleep(POLL_MS);
    }
  }

  /** Returns the deployment in the form that launches of tests read. */
  stack(): Stack {
    const { devnet } = this.chains;
    const { gateway, site, ports } = this;
    const program = 'apps/api-gateway/dist/composition/admin/main.js';
    return {
      schemaVersion: 'launch.stack.v1',
      gateway,
      site,
      devApi: gateway,
      operations: gateway,
      reviewer: `http://127.0.0.1:${ports.reviewer}`,
      temporal: {
        address: 'temporal:7233',
        namespace: 'launches',
        custodyNamespace: 'custody',
        modulesNamespace: 'modules',
        ui: `http://127.0.0.1:${ports.temporal}`,
      },
      rpc: { '4663': devnet.rpc['4663'].map(({ url }) => url), '1': devnet.rpc['1'].map(({ url }) => url) },
      faults: devnet.faultsUrl,
      controller: {
        address: devnet.controller.address.toLowerCase() as `0x${string}`,
        privateKeyFile: devnet.controller.privateKeyFile,
      },
      adminCommand: [
        'docker',
        'compose',
        '--project-name',
        PROJECT,
        '--project-directory',
        this.release,
        '--env-file',
        this.#file('.env'),
        'exec',
        '-T',
        'api-gateway',
        'node',
        program,
      ],
      dataDir: this.release,
    };
  }

  #file(name: string): string {
    return path.join(this.release, 'deploy', name);
  }

  async #writeSettings(images: string): Promise<void> {
    const { ports } = this;
    await writeFile(this.#file('.env'), `${images}\n`);
    await this.set({
      LAUNCH_VERSION: 'test-1',
      GATEWAY_PORT: String(ports.gateway),
      SITE_PORT: String(ports.site),
      REVIEWER_PORT: String(ports.reviewer),
      TEMPORAL_UI_PORT: String(ports.temporal),
      PUBLIC_ORIGIN: this.gateway,
      SITE_URL: this.site,
      CUSTOM_LAUNCH_CONTEXT_FILE: '/run/launch/custom-launch/context.json',
      FINALITY_POLL_MIN_MS: '1000',
      FINALITY_POLL_MAX_MS: '5000',
      INDEX_FINALITY_POLL_MS: '2000',
      ...GENEROUS,
    });
  }
}
