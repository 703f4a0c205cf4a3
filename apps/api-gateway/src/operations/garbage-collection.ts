import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/** V8 marks the heap again once it is larger by this part of what the last marking left; by itself it was seen to wait for less than one time that. */
const GROWING_PERCENT = 300;

/**
 * Lets memory of buffers count with the heap when V8 decides whether to collect, and lets both grow in between. V8 by
 * itself marks the whole heap as soon as 64 MiB of buffers have come and gone: at 0.8 MiB a create every fortieth of them,
 * a quarter of a create's processor time, and after every third draft of 4 MiB. The heap's limits stay as they are.
 */
export function collectLessOften(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
}

/** What `process.nextTick` makes of a callback; kept as long as the process. */
let keptTick: object | undefined;

/**
 * Keeps `process.nextTick` fast. The shape of its records is known to V8 while there is one of them. A collection that
 * finds none forgets the shape, and each later record is made by the slow way: 0.5 µs instead of 0.1, five times a read.
 * @returns whether there was one to keep: a later Node may make none, which is no reason to serve nothing.
 */
export function keepTicksFast(): boolean {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') keptTick = resource;
    },
  }).enable();
  process.nextTick(() => undefined);
  hook.disable();
  return keptTick !== undefined;
}
