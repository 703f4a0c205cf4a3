// One thread of the peer's: says that it is ready, then mines the stripes it is sent.
import { parentPort } from 'node:worker_threads';
import { hashWasmMiner, type Stripe } from './hash-wasm.stripe.js';

const mine = await hashWasmMiner();
parentPort?.on('message', (stripe: Stripe) => parentPort?.postMessage(mine(stripe)));
parentPort?.postMessage('ready');
