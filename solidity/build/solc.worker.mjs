/** A thread that compiles one group of sources after the other: each message has sources, each answer their artifacts or why there are none. */
import { parentPort } from 'node:worker_threads';
import { compileSources } from './solc.mjs';

parentPort.on('message', (sources) => {
  try {
    parentPort.postMessage({ artifacts: compileSources(sources) });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});
