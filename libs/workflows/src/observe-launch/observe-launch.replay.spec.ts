import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflows, dataConverter, installTemporalRuntime, type WorkflowBundle } from '@launch/temporal';

/**
 * Recorded runs must replay on today's code: a workflow that is open while a new version
 * is deployed goes on from its history. Record with RECORD_HISTORIES=1 and the integration test.
 */
jest.setTimeout(60_000);
const TESTDATA = path.resolve(import.meta.dirname, '../../testdata/observe-launch');
const histories = readdirSync(TESTDATA).filter((file) => file.endsWith('.json'));
const read = (file: string): string => readFileSync(path.join(TESTDATA, file), 'utf8');

let workflowBundle: WorkflowBundle;
beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  workflowBundle = await bundleWorkflows(path.resolve(import.meta.dirname, '../finality.bundle.ts'));
});

const replay = (text: string): Promise<void> =>
  Worker.runReplayHistory({ workflowBundle: { code: workflowBundle.code }, dataConverter }, historyFromJSON(JSON.parse(text)), 'observe/replayed');

describe('recorded observations', () => {
  it('has the histories', () => {
    expect(histories.length).toBeGreaterThanOrEqual(4);
  });

  it.each(histories)('%s replays on this code', async (file) => {
    await replay(read(file));
  });

  it('is refused when the code no longer does what the history says', async () => {
    const changed = read('expired.json').replaceAll('recordAwaitingSignature', 'recordSomethingElse');
    await expect(replay(changed)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
