// Mines once in a process that has mined nothing before and tells how long that took: `ours` or `peer`, and the tries.
import { mineSalt } from '@launch/multi-role';
import { timed } from '../measure/sampling.js';
import { hashWasmMiner } from './hash-wasm.stripe.js';
import { exhaustingTask } from './mining-task.js';

const [side, tries] = [process.argv[2], Number(process.argv[3])];
const task = exhaustingTask(tries);
// For so few tries the peer is quickest on the one thread there is: starting a second takes longer than all of them.
const mine =
  side === 'ours'
    ? () => mineSalt(task)
    : async () => (await hashWasmMiner())({ preimage: new Uint8Array(85), flags: task.hookFlags, from: 0, to: tries });
const { milliseconds, result } = await timed<unknown>(mine);
if (result !== null && result !== -1) throw new Error('an impossible address was mined');
process.send?.(milliseconds);
