import { indexWorkflowId, TASK_QUEUES, WORKFLOW_TYPES, type SourceBinding } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { startOnce, type TemporalClient } from '@launch/temporal';
import type { SourceRepository } from '../rows/source.repository.js';
import { readBindings } from './read-bindings.js';

/** Milliseconds until the keeper reads a new binding, and restarts a workflow that an operator ended. */
const EVERY_MS = 10_000;
const RETRY_MS = 1_000;

export interface SourcesKeeper {
  /** Returns the reason why the folder of bindings could not be read the last time; null if it could. */
  problem(): string | null;
  /** Stops polling. Resolves once the current poll has ended, which needs the database and Temporal. */
  stop(): Promise<void>;
}

/**
 * Reads the bindings of the deployment's folder, and keeps a workflow running for each binding ever stored. Any number
 * of workers may do so at once. An invalid folder changes nothing: indexing continues.
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

  const poll = async (): Promise<void> => {
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
    timer = setTimeout(() => void (polling = poll()), wait);
    timer.unref();
  };
  let polling = poll();
  return {
    problem: () => problem,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await polling;
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
