import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram } from '../deployed/run-program.js';

/** The program and the credentials that reach a cluster. */
export interface ClusterAccess {
  readonly kubectl: string;
  readonly kubeconfig: string;
}

/** A way from this machine to a port of a Service. */
export interface Forwarding {
  readonly port: number;
  stop(): Promise<void>;
}

/** Runs kubectl against one cluster. */
export class Kubectl {
  constructor(private readonly access: ClusterAccess) {}

  /** The command and its options, for programs that take a command. */
  get command(): readonly string[] {
    const { kubectl, kubeconfig } = this.access;
    // Programs that run it without HOME would leave its cache in their working folder.
    const cache = path.join(path.dirname(kubeconfig), 'kubectl-cache');
    return [kubectl, '--kubeconfig', kubeconfig, '--cache-dir', cache];
  }

  run(...args: readonly string[]): Promise<string> {
    return runProgram([...this.command, ...args], { cwd: process.cwd() });
  }

  apply(text: string): Promise<string> {
    return runProgram([...this.command, 'apply', '--filename', '-'], { cwd: process.cwd(), input: text });
  }

  /** Makes or replaces a Secret or a ConfigMap from `--from-file` and `--from-literal` arguments. */
  async put(namespace: string, kind: readonly string[], name: string, from: readonly string[]): Promise<void> {
    const made = await this.run('-n', namespace, 'create', ...kind, name, ...from, '--dry-run=client', '-o', 'json');
    await this.apply(made);
  }

  secret(namespace: string, name: string, from: readonly string[]): Promise<void> {
    return this.put(namespace, ['secret', 'generic'], name, from);
  }

  configMap(namespace: string, name: string, from: readonly string[]): Promise<void> {
    return this.put(namespace, ['configmap'], name, from);
  }

  /** Opens a way to a Service on a free port of loopback. */
  async forward(namespace: string, service: string, port: number): Promise<Forwarding> {
    const [file = '', ...options] = this.command;
    const args = [...options, '-n', namespace, 'port-forward', `svc/${service}`, `:${port}`];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      const local = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (local === undefined) continue;
      child.stdout.resume();
      return {
        port: Number(local),
        async stop() {
          if (child.exitCode !== null) return;
          child.kill();
          await once(child, 'close');
        },
      };
    }
    throw new Error(`no way to ${service} in ${namespace}`);
  }
}
