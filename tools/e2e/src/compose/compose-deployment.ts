import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@launch/start';
import { GENEROUS } from '../stacks/own-stack.js';
import type { ExposedChains } from './exposed-chains.js';
import { runProgram } from './run-program.js';

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
    await runProgram(['git', 'clone', '-q', process.env['COMPOSE_TEST_SOURCE'] ?? root, release], { cwd: folder });
    const ports = {
      gateway: await freePort(),
      site: await freePort(),
      reviewer: await freePort(),
      temporal: await freePort(),
    };
    const deployment = new ComposeDeployment(release, chains, ports);
    await deployment.#writeSettings(images);
    await deployment.#writeSecrets();
    await deployment.#writeDocuments();
    return deployment;
  }

  /** The commit of the clone. */
  async commit(): Promise<string> {
    return (await runProgram(['git', 'rev-parse', 'HEAD'], { cwd: this.release })).trim();
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

  async #writeSecrets(): Promise<void> {
    await mkdir(this.#file('secrets'), { mode: 0o711 });
    const { observers, devnet } = this.chains;
    await writeFile(this.#file('secrets/rpc-4663-urls'), observers['4663']);
    await writeFile(this.#file('secrets/rpc-1-urls'), observers['1']);
    const key = (await readFile(devnet.permitAuthority.privateKeyFile, 'utf8')).trim().replace(/^0x/, '');
    await writeFile(this.#file('secrets/permit-key'), key, { mode: 0o400 });
    await this.#deploy(['make-secrets', '--folder', 'deploy/secrets']);
    const authority = await this.#deploy(['permit-authority', '--key', 'deploy/secrets/permit-key']);
    if (authority.trim() !== devnet.permitAuthority.address.toLowerCase())
      throw new Error(`the permit key is of ${authority}`);
  }

  async #writeDocuments(): Promise<void> {
    const { devnet, manifestFile } = this.chains;
    const decided = {
      profileId: 'development-reachable',
      instructionPolicy: 'reachable',
      platformFeeRecipient: devnet.platformFeeRecipient.toLowerCase(),
      permitAuthorities: [devnet.permitAuthority.address.toLowerCase()],
    };
    const feed = devnet.priceFeed;
    const customLaunch = {
      family: 'custom-launch',
      ...decided,
      router: 'routerV1',
      l2Feed: { address: 'priceFeedL2', ...feed },
      l1Feed: { address: 'priceFeedL1', ...feed },
    };
    const read = ['--manifest', manifestFile, '--secrets', 'deploy/secrets'];
    await this.#facts('context.facts.json', decided);
    await this.#deploy([
      'write-context',
      '--facts',
      'deploy/context.facts.json',
      '--out',
      'deploy/context.json',
      ...read,
    ]);
    await this.#facts('custom-launch.facts.json', customLaunch);
    await this.#deploy([
      'write-context',
      '--facts',
      'deploy/custom-launch.facts.json',
      '--out',
      'deploy/custom-launch/context.json',
      ...read,
    ]);
    await this.#writeReviewedRouters(['context.json', 'custom-launch/context.json']);
    await this.#deploy([
      'write-reviewer-policy',
      '--public-key',
      'deploy/secrets/build-public-key.pem',
      '--reviewers',
      devnet.owner.address.toLowerCase(),
      '--out',
      'deploy/reviewer-policy.json',
    ]);
    const sourceCommit = await this.commit();
    const source = (sourceVersion: string, address: string): object => ({
      sourceVersion,
      chainId: 4663,
      address,
      sourceCommit,
      contracts: { poolManager: 'poolManager' },
    });
    await this.#facts('index.facts.json', {
      profile: 'development',
      sources: [source('custom-multi-role-v2', 'router'), source('custom-router-v1', 'routerV1')],
    });
    await this.#deploy([
      'write-index-sources',
      '--facts',
      'deploy/index.facts.json',
      '--folder',
      'deploy/indexing',
      ...read,
    ]);
    const trusted = await this.#deploy([
      'trusted-deployments',
      '--context',
      'deploy/context.json',
      '--secrets',
      'deploy/secrets',
    ]);
    await writeFile(this.#file('trusted-deployments.json'), trusted);
  }

  async #writeReviewedRouters(contexts: readonly string[]): Promise<void> {
    const routers = await Promise.all(
      contexts.map(async (file) => {
        const { profile, chainDeployment } = JSON.parse(await readFile(this.#file(file), 'utf8')) as {
          profile: { instructionPolicy: { id: string; policyHash: string } };
          chainDeployment: { router: { address: string; runtimeCodeHash: string } };
        };
        const { address: router, runtimeCodeHash } = chainDeployment.router;
        return {
          policyId: profile.instructionPolicy.id,
          policyHash: profile.instructionPolicy.policyHash,
          router,
          runtimeCodeHash,
        };
      }),
    );
    await this.#facts('reviewed-routers.json', { schemaVersion: 'service.multi-role-reviewed-routers.v1', routers });
  }

  #facts(name: string, facts: object): Promise<void> {
    return writeFile(this.#file(name), JSON.stringify(facts, null, 2));
  }

  /** Runs `launch-deploy` of this repository in the clone; the clone has its commit. */
  #deploy(args: readonly string[]): Promise<string> {
    const program = path.join(root, 'deploy/cli/dist/main.js');
    if (!existsSync(program)) throw new Error('launch-deploy is not built: npm run build -- -p deploy');
    return runProgram([process.execPath, program, ...args], { cwd: this.release });
  }
}
