import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DevnetDescription } from '@launch/devnet';
import { commitOf } from './built-images.js';
import { runProgram } from './run-program.js';

/** Development chains as an operator of a deployment knows them. */
export interface OperatedChains {
  readonly devnet: DevnetDescription;
  /** The deployment manifest. */
  readonly manifestFile: string;
  /** `id=url,id=url` of each chain, as the services and this machine reach them. */
  readonly observers: Readonly<Record<'4663' | '1', string>>;
}

/**
 * The secrets and documents of a deployment, which its operator writes with `launch-deploy`, as deploy/README.md describes it.
 * They are in the folder `deploy` of `folder`.
 */
export class OperatorFiles {
  constructor(
    private readonly folder: string,
    private readonly chains: OperatedChains,
    /** The checkout whose `launch-deploy` runs: contexts name its commit, which must be that of the images. */
    private readonly checkout: string,
  ) {}

  file(name: string): string {
    return path.join(this.folder, 'deploy', name);
  }

  async writeSecrets(): Promise<void> {
    await mkdir(this.file('secrets'), { mode: 0o711, recursive: true });
    const { observers, devnet } = this.chains;
    await writeFile(this.file('secrets/rpc-4663-urls'), observers['4663']);
    await writeFile(this.file('secrets/rpc-1-urls'), observers['1']);
    const key = (await readFile(devnet.permitAuthority.privateKeyFile, 'utf8')).trim().replace(/^0x/, '');
    await writeFile(this.file('secrets/permit-key'), key, { mode: 0o400 });
    await this.#deploy(['make-secrets', '--folder', 'deploy/secrets']);
    const authority = await this.#deploy(['permit-authority', '--key', 'deploy/secrets/permit-key']);
    if (authority.trim() !== devnet.permitAuthority.address.toLowerCase())
      throw new Error(`the permit key is of ${authority}`);
  }

  async writeDocuments(): Promise<void> {
    const { devnet, manifestFile } = this.chains;
    const sourceCommit = await commitOf(this.checkout);
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
    const source = (sourceVersion: string, address: string): object => ({
      sourceVersion,
      chainId: 4663,
      address,
      sourceCommit,
      contracts: { poolManager: 'poolManager' },
    });
    const sources = {
      profile: 'development',
      sources: [source('custom-multi-role-v2', 'router'), source('custom-router-v1', 'routerV1')],
    };
    const read = ['--manifest', manifestFile, '--secrets', 'deploy/secrets'];
    const publicKey = ['--public-key', 'deploy/secrets/build-public-key.pem'];
    const reviewers = ['--reviewers', devnet.owner.address.toLowerCase()];
    const write = async (name: string, facts: object, command: string, ...args: string[]): Promise<void> => {
      await this.#facts(name, facts);
      await this.#deploy([command, '--facts', `deploy/${name}`, ...args, ...read]);
    };
    const context = 'deploy/context.json';
    await mkdir(this.file('custom-launch'), { recursive: true });
    await write('context.facts.json', decided, 'write-context', '--out', context);
    const second = 'deploy/custom-launch/context.json';
    await write('custom-launch.facts.json', customLaunch, 'write-context', '--out', second);
    await this.#writeReviewedRouters(['context.json', 'custom-launch/context.json']);
    const policy = ['--out', 'deploy/reviewer-policy.json'];
    await this.#deploy(['write-reviewer-policy', ...publicKey, ...reviewers, ...policy]);
    await mkdir(this.file('indexing'), { recursive: true });
    await write('index.facts.json', sources, 'write-index-sources', '--folder', 'deploy/indexing');
    const trusted = ['trusted-deployments', '--context', context, '--secrets', 'deploy/secrets'];
    await writeFile(this.file('trusted-deployments.json'), await this.#deploy(trusted));
  }

  async #writeReviewedRouters(contexts: readonly string[]): Promise<void> {
    const routers = await Promise.all(
      contexts.map(async (file) => {
        const { profile, chainDeployment } = JSON.parse(await readFile(this.file(file), 'utf8')) as {
          profile: { instructionPolicy: { id: string; policyHash: string } };
          chainDeployment: { router: { address: string; runtimeCodeHash: string } };
        };
        const { address: router, runtimeCodeHash } = chainDeployment.router;
        const { id: policyId, policyHash } = profile.instructionPolicy;
        return { policyId, policyHash, router, runtimeCodeHash };
      }),
    );
    await this.#facts('reviewed-routers.json', { schemaVersion: 'service.multi-role-reviewed-routers.v1', routers });
  }

  #facts(name: string, facts: object): Promise<void> {
    return writeFile(this.file(name), JSON.stringify(facts, null, 2));
  }

  /** Runs `launch-deploy` in the folder. */
  #deploy(args: readonly string[]): Promise<string> {
    const program = path.join(this.checkout, 'deploy/cli/dist/main.js');
    if (!existsSync(program)) throw new Error('launch-deploy is not built: npm run build -- -p deploy');
    return runProgram([process.execPath, program, ...args], { cwd: this.folder });
  }
}
