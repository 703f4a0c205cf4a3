/** A thread that compiles one group of sources after the other: each message has sources and whose contracts are wanted, each answer their artifacts or why there are none. */
import { parentPort } from 'node:worker_threads';
import { compileSources } from './solc.mjs';

parentPort.on('message', ({ sources, owned }) => {
  try {
    const isOwned = (path) => owned.some((folder) => path.startsWith(folder));
    parentPort.postMessage({ artifacts: compileSources(sources, isOwned) });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});
