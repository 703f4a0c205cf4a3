import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OperatorFiles } from '../deployed/operator-files.js';
import { runProgram } from '../deployed/run-program.js';
import { GENEROUS } from '../stacks/generous-quotas.js';
import type { Kubectl } from './kubectl.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const CHART = path.join(root, 'deploy/helm/custom-launch');
const VALUES = path.join(root, 'deploy/cluster/values.yaml');
const NAMESPACE = 'launch';
const RELEASE = 'launch';

/** The ingress controller of a cluster. */
export interface Ingress {
  readonly className: string;
  /** Its pods, as a peer of a NetworkPolicy. */
  readonly peer: object;
}

/** The origins at which clients reach the product. */
export interface PublicOrigins {
  readonly gateway: string;
  readonly site: string;
}

/** A file of `make-secrets` with a PostgreSQL password, its Secret, and the server of the cluster. */
const DATABASES = [
  ['gateway', 'launch-gateway-database', 'postgres'],
  ['review-console', 'launch-review-console-database', 'postgres'],
  ['admission', 'launch-admission-database', 'postgres'],
  ['finality', 'launch-finality-database', 'postgres'],
  ['module-review', 'launch-module-review-database', 'postgres'],
  ['indexer', 'launch-indexer-database', 'postgres'],
  ['custody', 'launch-custody-database', 'custody-postgres'],
  ['custody-owner', 'launch-custody-owner-database', 'custody-postgres'],
] as const;

/** Services whose databases the collection of blobs reads, besides custody. */
const COLLECTED = ['gateway', 'admission', 'finality', 'module-review', 'indexer'] as const;

/** The chart's release in a cluster: its Secrets and documents, as docs/guides/deploying.md makes them, and the commands of Helm. */
export class LaunchRelease {
  constructor(
    private readonly kubectl: Kubectl,
    private readonly helm: string,
    private readonly kubeconfig: string,
    private readonly files: OperatorFiles,
    private readonly ingress: Ingress,
    private readonly origins: PublicOrigins,
  ) {}

  async writeSecrets(): Promise<void> {
    const from = (name: string): string => `--from-file=${this.files.file(`secrets/${name}`)}`;
    const secret = (name: string, ...keys: string[]): Promise<void> =>
      this.kubectl.secret(NAMESPACE, name, keys.map(from));
    await secret('launch-observers', 'rpc-4663-urls', 'rpc-1-urls');
    await secret('launch-gateway', 'credential-pepper', 'cursor-key');
    await secret('launch-answer-signing', 'answer-signing-key.pem');
    await secret('launch-admission-signing', 'admission-signing-key.pem');
    await secret('launch-finality-signing', 'finality-signing-key.pem');
    await secret('launch-build-signing', 'build-signing-key.pem');
    await secret('launch-permit-key', 'permit-key');
    for (const [file, name, server] of DATABASES) {
      const line = (await readFile(this.files.file(`secrets/${file}.pgpass`), 'utf8')).trim();
      const [, port, database, user, password] = line.split(':');
      const url = `postgresql://${user}:${password}@${server}.${server}.svc:${port}/${database}`;
      await this.kubectl.secret(NAMESPACE, name, [`--from-literal=url=${url}`]);
    }
    const url = async (key: string, file: string, server = 'postgres'): Promise<string> => {
      const found = new URL((await readFile(this.files.file(`secrets/${file}`), 'utf8')).trim());
      found.hostname = `${server}.${server}.svc`;
      return `--from-literal=${key}=${found.href}`;
    };
    await this.kubectl.secret(NAMESPACE, 'launch-index-database', [await url('url', 'index-database-url')]);
    const collected = COLLECTED.map((service) => url(`${service}-url`, `collector-${service}-url`));
    await this.kubectl.secret(NAMESPACE, 'launch-collector', await Promise.all(collected));
    const custody = await url('url', 'collector-custody-url', 'custody-postgres');
    await this.kubectl.secret(NAMESPACE, 'launch-collector-custody', [custody]);
  }

  async writeDocuments(): Promise<void> {
    const document = (name: string, file: string, key = ''): Promise<void> =>
      this.kubectl.configMap(NAMESPACE, name, [`--from-file=${key}${this.files.file(file)}`]);
    await document('launch-context', 'context.json');
    await document('custom-launch-context', 'custom-launch/context.json');
    await document('launch-reviewed-routers', 'reviewed-routers.json');
    await document('launch-reviewer-policy', 'reviewer-policy.json');
    await document('launch-admission-public-key', 'secrets/admission-public-key.pem');
    await document('launch-finality-public-key', 'secrets/finality-public-key.pem');
    await document('launch-index-sources', 'indexing');
    await document('trusted-deployments', 'trusted-deployments.json');
  }

  /** Installs or upgrades the chart. @param more further options of Helm. */
  async upgrade(version: string, more: readonly string[] = []): Promise<void> {
    const { className, peer } = this.ingress;
    const settings = {
      release: { version },
      publicOrigin: this.origins.gateway,
      siteUrl: this.origins.site,
      services: { 'api-gateway': { env: GENEROUS }, 'review-console': { env: { RATE_LIMITS: GENEROUS.RATE_LIMITS } } },
      ingress: { className },
      networkPolicy: { publicIngress: [peer] },
    };
    const given = this.files.file('values.json');
    await writeFile(given, JSON.stringify(settings, null, 2));
    const options = ['--values', VALUES, '--values', given, '--wait', '--timeout', '15m', ...more];
    await this.#helm(['upgrade', '--install', RELEASE, CHART, ...options]);
  }

  /** Runs the chart's tests, and returns their output. */
  test(): Promise<string> {
    return this.#helm(['test', RELEASE, '--logs']);
  }

  rollback(): Promise<string> {
    return this.#helm(['rollback', RELEASE, '--wait', '--timeout', '15m']);
  }

  uninstall(): Promise<string> {
    return this.#helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  }

  #helm(args: readonly string[]): Promise<string> {
    const [command = '', ...rest] = args;
    const options = ['--kubeconfig', this.kubeconfig, '--namespace', NAMESPACE];
    return runProgram([this.helm, command, ...options, ...rest], { cwd: root, shown: true });
  }
}
