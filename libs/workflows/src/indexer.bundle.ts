/** Workflows hosted by the indexer: the entry of its bundle. */
export { indexSource } from './index-source/index-source.workflow.js';
export { publishEthereum } from './publish-ethereum/publish-ethereum.workflow.js';
export { replayGate } from './replay-gate/replay-gate.workflow.js';
