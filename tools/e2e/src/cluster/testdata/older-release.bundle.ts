// Workflows of a release that waits with a timer.
import { condition, defineSignal, setHandler, sleep } from '@temporalio/workflow';

export async function admitLaunch(): Promise<void> {
  let released = false;
  setHandler(defineSignal('release'), () => void (released = true));
  await Promise.race([sleep('1 hour'), condition(() => released)]);
}

export async function observeLaunch(): Promise<void> {
  let released = false;
  setHandler(defineSignal('release'), () => void (released = true));
  await condition(() => released);
}
