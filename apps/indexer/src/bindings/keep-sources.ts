import { indexWorkflowId, TASK_QUEUES, WORKFLOW_TYPES, type SourceBinding } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { startOnce, type TemporalClient } from '@launch/temporal';
import type { SourceRepository } from '../rows/source.repository.js';
import { readBindings } from './read-bindings.js';

/** How soon a binding that the deployment adds is read, and a workflow that somebody ended runs again. */
const EVERY_MS = 10_000;
const RETRY_MS = 1_000;

export interface SourcesKeeper {
  /** Why the folder of bindings could not be taken over the last time; null when it was. */
  problem(): string | null;
  /** Looks no more. Settles when the last look has ended: until then it needs the database and Temporal. */
  stop(): Promise<void>;
}

/**
 * Takes over the bindings that the deployment's folder holds, and has a workflow run for each that was ever given. Any
 * number of workers may do so at once. A folder that is not as it should be changes nothing: what is indexed goes on.
 */
export function keepSources(
  client: TemporalClient['client'],
  parts: { readonly folder: string; readonly sources: SourceRepository; readonly logger: Logger },
): SourcesKeeper {
  const { folder, sources, logger } = parts;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;
  const running = new Set<string>();

  const look = async (): Promise<void> => {
    let wait = EVERY_MS;
    let found: string | null = null;
    try {
      await sources.put((await readBindings(folder)).bindings);
    } catch (error) {
      found = error instanceof Error ? error.message : String(error);
      if (found !== problem) logger.warn({ err: error }, 'the bindings of sources could not be taken over');
    }
    problem = found;
    try {
      for (const source of await sources.all()) {
        const id = indexWorkflowId(source);
        const isNew = (await startIndex(client, source)) === 'started';
        if (isNew && !running.has(id)) logger.info({ workflowId: id }, 'a source is indexed');
        running.add(id);
      }
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'the workflows of sources could not be started yet');
      wait = RETRY_MS;
    }
    if (stopped) return;
    timer = setTimeout(() => void (looking = look()), wait);
    timer.unref();
  };
  let looking = look();
  return {
    problem: () => problem,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

const startIndex = (client: TemporalClient['client'], source: SourceBinding): ReturnType<typeof startOnce> =>
  startOnce(client, {
    workflowType: WORKFLOW_TYPES.indexSource,
    workflowId: indexWorkflowId(source),
    taskQueue: TASK_QUEUES.indexer,
    args: [source],
    staticSummary: `${source.sourceVersion} on chain ${source.chainId}`,
  });
