import type { Kubectl } from './kubectl.js';

const NAMESPACE = 'launch';

/**
 * Runs the chart's collection of blobs once.
 * @returns the number of blobs that a database names.
 * @throws Error with the log of a run that fails, or that finds no such blob.
 */
export async function collectBlobs(kubectl: Kubectl): Promise<number> {
  const job = `job/collect-${Date.now()}`;
  await kubectl.run('-n', NAMESPACE, 'create', ...job.split('/'), '--from=cronjob/launch-blob-collector');
  const ending = kubectl.run('-n', NAMESPACE, 'wait', '--for=condition=complete', job, '--timeout=120s');
  const completed = await ending.then(() => true).catch(() => false);
  const log = await kubectl.run('-n', NAMESPACE, 'logs', job);
  const referenced = Number(/"referenced":(\d+)/.exec(log)?.[1] ?? 0);
  if (!completed || referenced === 0) throw new Error(`the collection of blobs failed: ${log}`);
  return referenced;
}
