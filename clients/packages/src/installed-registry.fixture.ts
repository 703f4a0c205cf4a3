import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

interface Installed {
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** A package registry on this machine that offers what this repository has installed, so that a test needs no network. */
export class InstalledRegistry {
  private readonly packages = new Map<string, Map<string, Installed>>();
  private readonly server: Server;

  private constructor() {
    for (const [place, { link }] of lockedPackages()) {
      const folder = path.join(REPOSITORY, place);
      const file = path.join(folder, 'package.json');
      if (link === true || !existsSync(file)) continue;
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
      const versions = this.packages.get(manifest.name) ?? new Map<string, Installed>();
      this.packages.set(manifest.name, versions.set(manifest.version, { folder, manifest: { ...manifest } }));
    }
    this.server = createServer((request, response) => {
      const [, name = '', version] =
        /^\/((?:@[^/]+\/)?[^/]+?)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url!)) ?? [];
      const versions = this.packages.get(name);
      if (versions === undefined) {
        response.writeHead(404).end('{}');
      } else if (version === undefined) {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(this.described(name, versions)));
      } else {
        // npm strips the first folder of an archive.
        const { folder } = versions.get(version)!;
        const archive = ['-cz', '--exclude', 'node_modules', '-C', path.dirname(folder), path.basename(folder)];
        spawn('tar', archive, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response);
      }
    });
  }

  static async start(): Promise<InstalledRegistry> {
    const registry = new InstalledRegistry();
    await new Promise<void>((resolve) => registry.server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private described(name: string, versions: ReadonlyMap<string, Installed>): object {
    const entries = [...versions].map(([version, { manifest }]) => [
      version,
      { ...manifest, dist: { tarball: `${this.url}${name}/-/${version}.tgz` } },
    ]);
    return { name, 'dist-tags': { latest: entries.at(-1)![0] }, versions: Object.fromEntries(entries) };
  }
}

function lockedPackages(): [string, { readonly link?: true }][] {
  const { packages } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: true }>;
  };
  return Object.entries(packages).filter(([place]) => place.includes('node_modules/'));
}
