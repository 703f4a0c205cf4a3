import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  admitWorkflowId,
  HOUSEKEEPING_DIVISION,
  observeWorkflowId,
  RECOVERY_WORKFLOW_ID,
} from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { locateTemporal } from '@launch/temporal-server';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { inDatabase } from '../fixtures/stack-databases.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const run = promisify(execFile);

let stack: E2eStack;
let temporal: TemporalClient;
let program: string;
let launcher: Launcher;

/** Runs `temporal workflow <verb> --query …`. Resolves when every workflow of the query has received it. */
async function batch(verb: 'cancel' | 'terminate' | 'reset', query: string, ...options: string[]): Promise<void> {
  const { address, namespace } = stack.stack.temporal;
  const target = ['--address', address, '--namespace', namespace];
  const { stdout } = await run(program, [
    'workflow',
    verb,
    ...target,
    ...['--query', query, '--reason', 'for the test', '--yes', '--output', 'json'],
    ...options,
  ]);
  const { batchJobId } = JSON.parse(stdout) as { batchJobId: string };
  await until(`the batch ${verb}`, async () => {
    const described = await run(program, ['batch', 'describe', ...target, '--job-id', batchJobId, '--output', 'json']);
    const { state } = JSON.parse(described.stdout) as { state: string };
    return /completed$/i.test(state);
  });
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100))
    if (await holds().catch(() => false)) return;
  throw new Error(`waited in vain for ${what}`);
}

/** Checks a specific run, not the newest: a closed workflow may be started again at once. */
const areCancelled = async (workflowIds: readonly string[], runIds: readonly string[]): Promise<boolean> => {
  const runs = await Promise.all(
    workflowIds.map((workflowId, index) => temporal.client.workflow.getHandle(workflowId, runIds[index]).describe()),
  );
  return runs.every(({ status }) => status.name === 'CANCELLED');
};
const runOf = async (workflowId: string): Promise<string> =>
  (await temporal.client.workflow.getHandle(workflowId).describe()).runId;
const named = (workflowIds: readonly string[]): string =>
  `WorkflowId IN (${workflowIds.map((workflowId) => `'${workflowId}'`).join(', ')})`;
/** Visibility follows the histories a moment later. */
const listed = (query: string, workflows: number): Promise<void> =>
  until(`${workflows} workflows with ${query}`, async () => {
    const { count } = await temporal.client.workflow.count(query);
    return count === workflows;
  });
/** Makes the relay poll now. It polls a launch again after a minute, which the test does not wait for. */
const relayLooks = (): Promise<unknown> =>
  inDatabase(stack, 'launch_gateway', 'UPDATE launch SET relay_after = now() WHERE relay_after > now()');
/** Reads custody's decisions on the launches: the digests, and the number of decisions and signatures. */
const decided = (launchIds: readonly string[]) =>
  inDatabase<{ launch_id: string; permit_digest: string; signatures: number }>(
    stack,
    'launch_custody',
    `SELECT d.launch_id, d.permit_digest, (SELECT count(*)::int FROM permit_signature s WHERE s.launch_id = d.launch_id) AS signatures
     FROM decision d WHERE d.launch_id = ANY($1) ORDER BY d.launch_id`,
    [launchIds],
  );

/** An operator's batch operations on workflows, by the commands that the operating guide names. */
export function batchOperations(stackOf: () => E2eStack): void {
  describe('a batch over running workflows', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      temporal = await connectTemporal(stack.stack.temporal);
      ({ program } = await locateTemporal());
      launcher = await Launcher.open(stack);
    }, 2 * PATIENCE_MS);
    afterAll(() => temporal?.close());

    let launches: HandedOff[] = [];

    it(
      'that cancels, terminates and resets admissions leaves one permit digest for every launch and brings it to its hand-off',
      async () => {
        // Admissions wait for custody, which may have a digest to commit: the batch reaches them there.
        await stack.services.kill('permit-custody', 'SIGTERM', { hold: true });
        const launchIds: string[] = [];
        for (let index = 0; index < 4; index += 1) launchIds.push(await launcher.create(await launcher.prepare()));
        const ids = launchIds.map(admitWorkflowId);
        const running = (some: readonly string[]): string => `${named(some)} AND ExecutionStatus = 'Running'`;
        await listed(`${running(ids)} AND LaunchStage = 'custody'`, 4);
        const before = await Promise.all(ids.map(runOf));
        await batch('terminate', running([ids[0] as string]));
        await batch('reset', running([ids[1] as string]), '--type', 'FirstWorkflowTask');
        await batch('cancel', running(ids.slice(2)));
        await until('both to be cancelled', () => areCancelled(ids.slice(2), before.slice(2)));
        await stack.services.resume('permit-custody');
        await relayLooks();
        launches = await Promise.all(launchIds.map((launchId) => launcher.handedOff(launchId)));
        const after = await Promise.all(ids.map(runOf));
        after.forEach((runId, index) => expect(runId).not.toBe(before[index]));
        expect((await decided(launchIds)).map(({ launch_id, signatures }) => [launch_id, signatures])).toEqual(
          [...launchIds].sort().map((launchId) => [launchId, 1]),
        );
      },
      3 * PATIENCE_MS,
    );

    it(
      'that resets ended admissions changes neither permit nor launch',
      async () => {
        const launchIds = launches.map(({ launchId }) => launchId);
        const ids = launchIds.map(admitWorkflowId);
        const [digests, shown] = [
          await decided(launchIds),
          await Promise.all(launchIds.map((id) => launcher.api.get(id))),
        ];
        const before = await Promise.all(ids.map(runOf));
        await listed(`${named(ids)} AND ExecutionStatus = 'Completed'`, 4);
        await batch('reset', `${named(ids)} AND ExecutionStatus = 'Completed'`, '--type', 'FirstWorkflowTask');
        for (const [index, workflowId] of ids.entries())
          await until('its new run to end', async () => {
            const { runId, status } = await temporal.client.workflow.getHandle(workflowId).describe();
            return runId !== before[index] && status.name === 'COMPLETED';
          });
        expect(await decided(launchIds)).toEqual(digests);
        const again = await Promise.all(launchIds.map((id) => launcher.api.get(id)));
        expect(again.map(({ wallet, status }) => [wallet, status])).toEqual(
          shown.map(({ wallet }) => [wallet, 'awaiting_wallet_signature']),
        );
      },
      2 * PATIENCE_MS,
    );

    it(
      'that cancels, terminates and resets observations and recoveries loses no launch',
      async () => {
        const ids = launches.map(({ launchId }) => observeWorkflowId(launchId));
        await listed(`${named(ids)} AND ExecutionStatus = 'Running'`, 4);
        const before = await Promise.all(ids.map(runOf));
        await batch('cancel', `${named(ids.slice(0, 2))} AND ExecutionStatus = 'Running'`);
        await batch('terminate', named([ids[2] as string]));
        await batch('reset', named([ids[3] as string]), '--type', 'FirstWorkflowTask');
        const recoveries = `TemporalNamespaceDivision = '${HOUSEKEEPING_DIVISION}' AND WorkflowId = '${RECOVERY_WORKFLOW_ID}'`;
        const recovering = await runOf(RECOVERY_WORKFLOW_ID);
        await batch('terminate', `${recoveries} AND ExecutionStatus = 'Running'`);
        await until('a further recovery', async () => (await runOf(RECOVERY_WORKFLOW_ID)) !== recovering);
        await listed(`${recoveries} AND ExecutionStatus = 'Terminated'`, 1);
        await batch('reset', `${recoveries} AND ExecutionStatus = 'Terminated'`, '--type', 'LastWorkflowTask');
        await until('both to be cancelled', () => areCancelled(ids.slice(0, 2), before.slice(0, 2)));
        for (const launch of launches) await launcher.send(launch);
        await relayLooks();
        await Promise.all(launches.map(({ launchId }) => launcher.finalized(launchId)));
        const after = await Promise.all(ids.map(runOf));
        after.forEach((runId, index) => expect(runId).not.toBe(before[index]));
        const recovery = temporal.client.workflow.getHandle(RECOVERY_WORKFLOW_ID);
        const { runId, historyLength } = await recovery.describe();
        await until('a further round', async () => {
          const seen = await recovery.describe();
          return seen.status.name === 'RUNNING' && (seen.runId !== runId || seen.historyLength > historyLength);
        });
      },
      3 * PATIENCE_MS,
    );

    it(
      'that resets everything leaves finalized launches as they were published',
      async () => {
        const records = () => Promise.all(launches.map(({ onchainLaunchId }) => launcher.published(onchainLaunchId)));
        const bodies = async () => (await records()).map(({ body }) => body);
        const resources = () => Promise.all(launches.map(({ launchId }) => launcher.api.get(launchId)));
        const [published, shown] = [await bodies(), await resources()];
        const ids = launches.flatMap(({ launchId }) => [admitWorkflowId(launchId), observeWorkflowId(launchId)]);
        const ended = `${named(ids)} AND ExecutionStatus = 'Completed'`;
        // Separately, because each of the admissions has ended twice.
        await listed(
          `${named(launches.map(({ launchId }) => observeWorkflowId(launchId)))} AND ExecutionStatus = 'Completed'`,
          4,
        );
        const before = await Promise.all(ids.map(runOf));
        await batch('reset', ended, '--type', 'FirstWorkflowTask');
        for (const [index, workflowId] of ids.entries())
          await until(`the new run of ${workflowId} to end`, async () => {
            const { runId, status } = await temporal.client.workflow.getHandle(workflowId).describe();
            return runId !== before[index] && status.name === 'COMPLETED';
          });
        expect(await bodies()).toEqual(published);
        expect(await resources()).toEqual(shown);
        expect(await decided(launches.map(({ launchId }) => launchId))).toHaveLength(4);
      },
      3 * PATIENCE_MS,
    );
  });
}
