import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A service of `docker-compose.yml`, with the members that tests read. */
export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly mem_limit?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string; readonly args: Readonly<Record<string, string>> };
  readonly healthcheck?: unknown;
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
/** `docker-compose.yml`. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

export const root = path.resolve(import.meta.dirname, '..');
/** Reads a file of the repository. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

// Nx's own parser: nothing else in the repository reads YAML.
const require = createRequire(import.meta.url);
export const { parse } = createRequire(require.resolve('nx/package.json'))('yaml') as { parse: (text: string, options: { merge: boolean; customTags?: readonly object[] }) => unknown };
/** `docker-compose.yml` with its anchors merged. */
export const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
/** Services that run programs of this repository, each from an image of its own. */
export const OURS = ['api-gateway', 'admission-worker', 'permit-custody', 'finality-worker', 'module-builder', 'module-review', 'indexer', 'site', 'codec-server', 'blob-collector'];

/** The Dockerfile of all images, in the repository. */
export const DOCKERFILE = 'deploy/docker/services.Dockerfile';
export const dockerfile = read(DOCKERFILE);
/** The base image, with its digest. */
export const nodeImage = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
