import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from '../deployed/run-program.js';
import type { ClusterAccess } from './kubectl.js';
import type { Ingress } from './launch-release.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const programs = path.join(root, 'deploy/cluster');

/** The ingress controller that `node.mjs up` installs. */
const INGRESS = {
  className: 'launch',
  peer: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } },
  origin: 'http://127.0.0.1:8088',
};
/** Images of the chart, by the targets of deploy/docker/services.Dockerfile. */
const SERVICES = [
  'api-gateway',
  'site',
  'admission-worker',
  'permit-custody',
  'finality-worker',
  'indexer',
  'module-review',
  'module-builder',
  'blob-collector',
  ...['api-gateway', 'admission', 'finality', 'module-review', 'indexer', 'custody'].map((name) => `migrate-${name}`),
];
const ENVIRONMENT = ['node:24.21.0', 'postgres:18', 'temporal:1.32.0', 'seaweedfs:4.48'].map(
  (image) => `launch-local/${image}`,
);

/** The node of this machine, which deploy/cluster starts. */
export class ClusterNode implements ClusterAccess {
  readonly ingress: Ingress & { readonly origin: string } = INGRESS;

  private constructor(
    private readonly state: string,
    readonly kubectl: string,
    readonly helm: string,
  ) {}

  static async open(state: string): Promise<ClusterNode> {
    const kubectl = await runProgram([process.execPath, path.join(programs, 'programs.mjs'), 'path', 'kubectl'], {
      cwd: root,
    });
    const found = pathToFileURL(path.join(root, 'deploy/helm/find-helm.mjs')).href;
    const { findHelm } = (await import(found)) as { findHelm(): string };
    return new ClusterNode(path.resolve(state), kubectl.trim(), findHelm());
  }

  get kubeconfig(): string {
    return path.join(this.state, 'admin.kubeconfig');
  }

  /** Takes the images of versions from the Docker engine to the node. */
  async importImages(versions: readonly string[]): Promise<void> {
    const tags = [
      ...ENVIRONMENT,
      ...versions.flatMap((version) => SERVICES.map((name) => `launch/${name}:${version}`)),
    ];
    const program = path.join(programs, 'load-image.mjs');
    await runProgram([process.execPath, program, '--state', this.state, ...tags], { cwd: root, shown: true });
  }
}
