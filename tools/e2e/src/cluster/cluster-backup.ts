import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../deployed/run-program.js';
import type { Kubectl } from './kubectl.js';

const DATABASES = ['postgres', 'custody-postgres'] as const;
/** PGDATA of the image, below the folder that is mounted. */
const CLUSTER_FOLDER = '18/docker';

/** A backup of every store of the cluster: both PostgreSQL servers, blobs, and the operator's secrets and documents. */
export class ClusterBackup {
  constructor(
    private readonly kubectl: Kubectl,
    /** The folder of the deployment; the backup is in its folder `backup`. */
    private readonly folder: string,
  ) {}

  /** Backs up in the order of docs/runbooks/backup.md: services before blobs, custody last. Blobs are away while they are copied. */
  async take(): Promise<void> {
    await rm(this.#backup(), { recursive: true, force: true });
    await mkdir(this.#backup(), { mode: 0o700 });
    await cp(path.join(this.folder, 'deploy'), this.#backup('deploy'), { recursive: true });
    await this.#copyDatabase('postgres');
    await this.#copyBlobs();
    await this.#copyDatabase('custody-postgres');
  }

  /** Puts the data where the servers of a new environment expect theirs. */
  async restore(): Promise<void> {
    await cp(this.#backup('deploy'), path.join(this.folder, 'deploy'), { recursive: true });
    for (const name of DATABASES) {
      const data = path.join(this.#data(name), CLUSTER_FOLDER);
      await mkdir(data, { recursive: true, mode: 0o700 });
      await runProgram(['tar', '--extract', '--file', this.#backup(`${name}.tar`), '--directory', data], this.#here);
      await runProgram(['chown', '-R', '999:999', this.#data(name)], this.#here);
    }
    await runProgram(['cp', '-a', this.#backup('seaweedfs'), this.#data('seaweedfs')], this.#here);
  }

  async #copyDatabase(name: (typeof DATABASES)[number]): Promise<void> {
    const command = [...this.kubectl.command, '-n', name, 'exec', `deployment/${name}`, '-c', 'postgres', '--'];
    const options = ['--pgdata=-', '--format=tar', '--wal-method=fetch', '--checkpoint=fast'];
    const dump = [...command, 'pg_basebackup', '--username=postgres', ...options];
    // The archive is binary.
    await runProgram(['/bin/sh', '-euc', 'exec "$@" > "$FILE"', 'sh', ...dump], {
      ...this.#here,
      env: { ...process.env, FILE: this.#backup(`${name}.tar`) },
    });
  }

  async #copyBlobs(): Promise<void> {
    const scale = (replicas: number): Promise<string> =>
      this.kubectl.run('-n', 'blobs', 'scale', 'deployment/seaweedfs', `--replicas=${replicas}`);
    await scale(0);
    await this.kubectl.run('-n', 'blobs', 'wait', '--for=delete', 'pod', '-l', 'app=seaweedfs', '--timeout=120s');
    await runProgram(['cp', '-a', this.#data('seaweedfs'), this.#backup('seaweedfs')], this.#here);
    await scale(1);
    await this.kubectl.run('-n', 'blobs', 'rollout', 'status', 'deployment/seaweedfs', '--timeout=300s');
  }

  get #here(): { cwd: string } {
    return { cwd: this.folder };
  }

  #backup(name = ''): string {
    return path.join(this.folder, 'backup', name);
  }

  #data(name: string): string {
    return path.join(this.folder, 'environment/data', name);
  }
}
