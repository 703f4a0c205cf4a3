import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../deployed/run-program.js';
import { Certificates } from './certificates.js';
import type { Kubectl } from './kubectl.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const manifests = path.join(root, 'deploy/cluster/environment');
const temporalFiles = path.join(root, 'deploy/temporal');
const READY = '--timeout=600s';

/** Services that connect to Temporal, each with a certificate and a token of its own. */
export const TEMPORAL_CLIENTS = [
  'api-gateway',
  'review-console',
  'admission-worker',
  'permit-custody',
  'finality-worker',
  'indexer',
  'module-review',
  'module-builder',
] as const;
/** Services that write elsewhere than in the shared store of blobs, or nowhere, by their S3 identity. */
const IDENTITIES: Readonly<Record<string, string>> = { 'permit-custody': 'reader', 'module-builder': 'builder' };
/** Services with access to blobs; custody only reads them. */
const BLOB_SERVICES = [...TEMPORAL_CLIENTS, 'blob-collector'];
/** Clients of Temporal besides the services: the chart's job, and KEDA. */
const OTHER_CLIENTS = ['promote-workers', 'autoscaler'] as const;
const SERVER_NAME = 'temporal-frontend';

/** The server of deploy/temporal with mutual TLS. */
async function temporalServerSettings(): Promise<string> {
  const plain = await readFile(path.join(temporalFiles, 'server.yaml'), 'utf8');
  const [certificate, authority] = ['/run/tls/tls.crt', '/run/tls/ca.crt'];
  const files = `certFile: ${certificate}, keyFile: /run/tls/tls.key`;
  const client = `client: { serverName: ${SERVER_NAME}, rootCaFiles: [${authority}] }`;
  const both = `{ server: { ${files}, clientCaFiles: [${authority}], requireClientAuth: true }, ${client} }`;
  // Calls of Nexus reach the internal frontend's HTTP port as a node does, while that port has the frontend's settings.
  const tls = [
    'global:',
    '  tls:',
    `    internode: ${both}`,
    `    frontend: ${both}`,
    `    systemWorker: { ${files}, ${client} }`,
    '',
  ].join('\n');
  return plain
    .replace(/^global:\n/m, () => tls)
    .replace('/etc/temporal/dynamic-config.yaml', '/launch/dynamic-config.yaml');
}

const UI_TLS = `tls: { caFile: /run/tls/ca.crt, certFile: /run/tls/tls.crt, keyFile: /run/tls/tls.key, serverName: ${SERVER_NAME}, enableHostVerification: true }\n`;

async function manifest(name: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = await readFile(path.join(manifests, name), 'utf8');
  return text.replace(/\$([A-Z]+)/g, (whole, key: string) => values[key] ?? whole);
}

/** The parts outside the chart: two PostgreSQL servers, Temporal with mutual TLS and its UI, and an S3 store. */
export class ClusterEnvironment {
  constructor(
    private readonly kubectl: Kubectl,
    /** Secrets that `launch-deploy` made. */
    private readonly secrets: string,
    /** Folder of certificates, settings and the data of the servers. */
    private readonly folder: string,
  ) {}

  async install(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o755 });
    await this.#postgres('postgres', 'postgres');
    await this.#postgres('custody-postgres', 'custody-postgres');
    await this.#seaweedfs();
    await this.#temporal();
    const ready = (namespace: string, name: string): Promise<string> =>
      this.kubectl.run('-n', namespace, 'rollout', 'status', `deployment/${name}`, READY);
    await ready('postgres', 'postgres');
    await ready('custody-postgres', 'custody-postgres');
    await ready('blobs', 'seaweedfs');
    await this.#bucket();
    await ready('temporal', 'temporal');
    await this.kubectl.run('-n', 'temporal', 'wait', '--for=condition=complete', 'job/temporal-namespace', READY);
    await ready('temporal', 'temporal-ui');
  }

  async #postgres(namespace: string, secret: string): Promise<void> {
    const text = await manifest('postgres.yaml', { NAME: namespace, DATA: path.join(this.folder, 'data', namespace) });
    await this.#namespace(namespace);
    await this.kubectl.secret(namespace, 'server', [
      `--from-file=superuser=${path.join(this.secrets, `${secret}-superuser`)}`,
      `--from-file=roles.sql=${path.join(this.secrets, `${secret}-roles.sql`)}`,
    ]);
    await this.kubectl.apply(text);
  }

  async #temporal(): Promise<void> {
    const certificates = await new Certificates(path.join(this.folder, 'certificates')).open();
    const names = [SERVER_NAME, `${SERVER_NAME}.temporal.svc`];
    await this.#namespace('temporal');
    await this.#certificate(certificates, 'temporal', 'temporal-server-tls', 'temporal-server', names);
    await this.#certificate(certificates, 'temporal', 'temporal-operator-tls', 'operator', ['operator']);
    await this.#namespace('launch', 'restricted');
    await this.kubectl.secret('launch', 'temporal-ca', [`--from-file=ca.crt=${certificates.authority}`]);
    for (const service of [...TEMPORAL_CLIENTS, ...OTHER_CLIENTS])
      await this.#certificate(certificates, 'launch', `temporal-client-${service}`, service, [service]);
    await this.kubectl.secret('temporal', 'temporal-server', [
      `--from-file=${path.join(this.secrets, 'temporal-db-password')}`,
      `--from-file=temporal-jwks=${path.join(this.secrets, 'temporal-jwks.json')}`,
    ]);
    await this.kubectl.secret('temporal', 'temporal-operator', [
      `--from-file=token=${path.join(this.secrets, 'temporal-token-operator')}`,
    ]);
    for (const holder of [...TEMPORAL_CLIENTS, ...OTHER_CLIENTS])
      await this.kubectl.secret('launch', `temporal-token-${holder}`, [await this.#tokenOf(holder)]);
    const server = path.join(this.folder, 'server.yaml');
    await writeFile(server, await temporalServerSettings());
    const ui = path.join(this.folder, 'ui.yaml');
    const plain = await readFile(path.join(temporalFiles, 'ui.yaml'), 'utf8');
    await writeFile(ui, plain.replace('temporal:7233', `${SERVER_NAME}:7233`) + UI_TLS);
    const scripts = ['schema.sh', 'namespace.sh', 'dynamic-config.yaml', 'ui-proxy.mjs'].map((name) =>
      path.join(temporalFiles, name),
    );
    const from = [server, ui, ...scripts].map((file) => `--from-file=${file}`);
    await this.kubectl.configMap('temporal', 'temporal-settings', from);
    await this.kubectl.apply(await manifest('temporal.yaml'));
  }

  /** KEDA sends the token as it is, so the Secret has it without the end of its line. */
  async #tokenOf(holder: string): Promise<string> {
    const text = await readFile(path.join(this.secrets, `temporal-token-${holder}`), 'utf8');
    return `--from-literal=api-key=${text.trim()}`;
  }

  async #certificate(
    certificates: Certificates,
    namespace: string,
    secret: string,
    name: string,
    names: readonly string[],
  ): Promise<void> {
    const { certificate, key } = await certificates.issue(name, names);
    const authority = `--from-file=ca.crt=${certificates.authority}`;
    const from = [authority, `--from-file=tls.crt=${certificate}`, `--from-file=tls.key=${key}`];
    await this.kubectl.secret(namespace, secret, from);
  }

  async #seaweedfs(): Promise<void> {
    const identity = (name: string, actions: readonly string[]): object => ({
      name,
      credentials: [{ accessKey: name, secretKey: `${name}-secret` }],
      actions,
    });
    const settings = path.join(this.folder, 's3.json');
    const identities = [
      identity('writer', ['Read', 'List', 'Write']),
      identity('builder', ['Read:blobs', 'List:blobs', 'Write:blobs/builds/*']),
      identity('reader', ['Read', 'List']),
    ];
    await writeFile(settings, JSON.stringify({ identities }));
    await this.#namespace('blobs');
    await this.kubectl.secret('blobs', 'seaweedfs', [`--from-file=${settings}`]);
    await this.kubectl.apply(await manifest('seaweedfs.yaml', { DATA: path.join(this.folder, 'data', 'seaweedfs') }));
    await this.#namespace('launch', 'restricted');
    for (const service of BLOB_SERVICES) {
      const name = IDENTITIES[service] ?? 'writer';
      const lines = ['[default]', `aws_access_key_id = ${name}`, `aws_secret_access_key = ${name}-secret`, ''];
      const from = [`--from-literal=credentials=${lines.join('\n')}`];
      await this.kubectl.secret('launch', `blob-credentials-${service}`, from);
    }
  }

  /** Makes the bucket, unless restored data has it, once the parts of the store have found each other. */
  async #bucket(): Promise<void> {
    const weed = ['-n', 'blobs', 'exec', '-i', 'deployment/seaweedfs', '--', 'weed', 'shell', '-master=127.0.0.1:9333'];
    const shell = (input: string): Promise<string> =>
      runProgram([...this.kubectl.command, ...weed], { cwd: this.folder, input: `${input}\n` });
    const isMade = async (): Promise<boolean> => /^\s*blobs\b/m.test(await shell('s3.bucket.list'));
    for (const until = Date.now() + 300_000; ; await sleep(2_000))
      try {
        if (await isMade()) return;
        await shell('s3.bucket.create -name blobs');
        if (await isMade()) return;
        throw new Error('the store has no bucket');
      } catch (error) {
        if (Date.now() > until) throw error;
      }
  }

  async #namespace(name: string, podSecurity?: string): Promise<void> {
    const labels = podSecurity === undefined ? {} : { 'pod-security.kubernetes.io/enforce': podSecurity };
    await this.kubectl.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }));
  }
}
