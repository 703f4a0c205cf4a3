import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawnGuarded, stopChild } from '@launch/platform/processes';
import type { SourcifyJob } from './sourcify.child.js';
import type { SourcifyVerdict } from './sourcify-verdict.js';

const script = fileURLToPath(new URL('./sourcify.child.js', import.meta.url));

/** A process with lib-sourcify and a solc in it; warm after its first job. */
export interface SourcifyProcess {
  /** One job at a time. @throws Error when the process ends or lib-sourcify fails other than by its codes. */
  verify(job: SourcifyJob): Promise<readonly SourcifyVerdict[]>;
  close(): Promise<void>;
}

export function startSourcify(): SourcifyProcess {
  const child: ChildProcess = spawnGuarded(process.execPath, [script], { stdio: ['ignore', 2, 2, 'ipc'] });
  return {
    verify: (job) =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error('the lib-sourcify process ended'));
        child.once('exit', ended);
        child.once('message', (answer) => {
          child.off('exit', ended);
          const { verdicts, failure } = answer as { verdicts?: readonly SourcifyVerdict[]; failure?: string };
          if (verdicts === undefined) reject(new Error(failure ?? 'lib-sourcify gave no verdict'));
          else resolve(verdicts);
        });
        child.send(job);
      }),
    close: () => stopChild(child),
  };
}
