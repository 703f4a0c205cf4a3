import { describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { STEP_ABANDONED } from '@launch/contracts/orchestration';
import { createLogger } from '@launch/platform';
import { memoryBlobs } from '../../fixtures/memory-blobs.js';
import { recordedWorkflows } from '../../fixtures/recorded-workflows.js';
import { refusalOfWork } from '../../fixtures/refused.js';
import { DEFAULT_LIMITS } from '../../platform/configuration/limits.js';
import { SourceEvaluationService } from './source-evaluation.service.js';

const hash = `0x${'1'.repeat(64)}` as const;
const asked = { ref: { requestHash: hash, contextHash: hash, controller: hash }, lineageId: 'lineage' };

function evaluations(preflightMs = DEFAULT_LIMITS.preflightMs) {
  const [workflows, blobs] = [recordedWorkflows(), memoryBlobs()];
  const storage = { keepTemporary: blobs.putTemporary, deleteTemporary: blobs.deleteTemporary };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const service = new SourceEvaluationService(storage, workflows, { ...DEFAULT_LIMITS, preflightMs }, logger);
  const run = (gone = new AbortController().signal) => service.run(asked, Buffer.from('the request'), gone);
  return { workflows, blobs, run };
}

describe('The evaluation of a source', () => {
  it('is abandoned at its deadline, is stopped, has no verdict and leaves no byte', async () => {
    const { workflows, blobs, run } = evaluations(1);
    workflows.evaluation = () => new Promise(() => undefined);
    const refused = await refusalOfWork(() => run());
    expect([refused.status, refused.code, refused.retryable]).toEqual([503, 'PREFLIGHT_PENDING', true]);
    expect([workflows.cancelled, blobs.stored()]).toEqual([1, []]);
  });

  it('is stopped when its client disconnects, and leaves no byte', async () => {
    const { workflows, blobs, run } = evaluations();
    const leaving = new AbortController();
    workflows.evaluation = () => {
      leaving.abort();
      return new Promise(() => undefined);
    };
    expect((await refusalOfWork(() => run(leaving.signal))).code).toBe('PREFLIGHT_PENDING');
    expect([workflows.cancelled, blobs.stored()]).toEqual([1, []]);
  });

  it('does not begin for a client that has disconnected', async () => {
    const { workflows, blobs, run } = evaluations();
    expect((await refusalOfWork(() => run(AbortSignal.abort()))).code).toBe('PREFLIGHT_PENDING');
    expect([workflows.inputs, blobs.stored()]).toEqual([[], []]);
  });

  it('fails, and does not pass, when one of its steps was abandoned, and names no step to the client', async () => {
    const { workflows, blobs, run } = evaluations();
    const failed = (cause: ApplicationFailure) => () =>
      Promise.reject(new WorkflowFailedError('Workflow execution failed', cause, 'NON_RETRYABLE_FAILURE'));
    workflows.evaluation = failed(
      ApplicationFailure.nonRetryable('compileAndMatch: ADMISSION_STEP_FAILED', STEP_ABANDONED),
    );
    const refused = await refusalOfWork(() => run());
    expect([refused.status, refused.code]).toEqual([500, 'INTERNAL']);
    expect(refused.message).not.toContain('compileAndMatch');
    workflows.evaluation = failed(ApplicationFailure.nonRetryable('another end', 'ANOTHER'));
    expect((await refusalOfWork(() => run())).code).toBe('SERVICE_UNAVAILABLE');
    expect(blobs.stored()).toEqual([]);
  });

  it('is unavailable while Temporal is, and leaves no byte', async () => {
    const { workflows, blobs, run } = evaluations();
    workflows.down = true;
    const refused = await refusalOfWork(() => run());
    expect([refused.status, refused.code, refused.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect(blobs.stored()).toEqual([]);
  });
});
