import type { LaunchResource } from '@launch/contracts/multi-role';
import { sendFromController } from '@launch/start';
import type { BenchStack } from '../stack/bench-stack.js';
import { packFresh } from '../stack/reference-requests.js';

const POLL_MS = 1_000;
const LONGEST_MS = 300_000;

/** Creates launches one after the other, each until it is authorized, and returns their ids. */
export async function authorizedLaunches(stack: BenchStack, count: number): Promise<readonly string[]> {
  const launchIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { bytes } = await packFresh(stack.context, stack.controller);
    const launchId = await stack.gateway.create(bytes);
    await until(stack, launchId, ({ wallet }) => wallet !== null);
    launchIds.push(launchId);
  }
  return launchIds;
}

/** Sends the transactions of launches from the controller's wallet, and waits until each launch is finalized. */
export async function sendUntilFinalized(stack: BenchStack, launchIds: readonly string[]): Promise<void> {
  for (const launchId of launchIds) {
    const { wallet } = await stack.gateway.launch(launchId);
    if (wallet === null) throw new Error('an authorized launch has a hand-off');
    await sendFromController(stack.running.stack, wallet.walletTransaction, wallet.deadline);
  }
  for (const launchId of launchIds) await until(stack, launchId, ({ status }) => status === 'finalized');
}

async function until(
  stack: BenchStack,
  launchId: string,
  isReached: (launch: LaunchResource) => boolean,
): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_MS;
  for (;;) {
    const launch = await stack.gateway.launch(launchId);
    if (isReached(launch)) return;
    if (Date.now() > giveUpAt) throw new Error(`the launch is still ${launch.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
