import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { PlanHandoff } from '@launch/contracts/plans';
import type { Hex } from '@launch/contracts/primitives';
import { StoredDocuments } from '../../../core/projections/stored-documents.js';
import { memoryBlobs } from '../../../fixtures/memory-blobs.js';
import { PLAN_VALID_AFTER, planHandoffOf, type WrittenPlan } from '../../../fixtures/plan-rows.fixture.js';
import { testPlan } from '../../../fixtures/test-plan.js';
import { PlanProjections } from './plan.projections.js';

const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** Returns the projections of one plan; its rows record the writes. */
function projectionsOf() {
  const { plan, row } = testPlan();
  const { planId } = plan;
  const written: string[] = [];
  const started: string[] = [];
  const write = (name: string) => async (): Promise<void> => void written.push(name);
  const blobs = memoryBlobs();
  const projections = new PlanProjections(
    { register: () => undefined },
    {
      stateOf: async () => ({
        status: row.status,
        handoffSha256: null,
        requestSha256: plan.requestSha256,
        steps: row.steps.map(({ stepId }) => ({ stepId, offered: false })),
      }),
      waits: write('waits'),
      found: write('found'),
      refused: write('refused'),
      handedOff: write('handedOff'),
      endedByAdmission: write('endedByAdmission'),
    },
    {
      identityOf: async (launchId) =>
        launchId === planId ? { ...plan, validAfter: String(PLAN_VALID_AFTER), deadline: String(plan.deadline) } : null,
    },
    { startSoon: (launchId) => void started.push(launchId) },
    new StoredDocuments(blobs),
  );
  const handOff = (handoff: PlanHandoff, launchId = planId) =>
    projections.recordHandoff({ launchId, handoffSha256: blobs.putDocument(handoff) });
  return { plan, written, started, handOff };
}

describe('A hand-off of a plan', () => {
  it('that agrees with the reservation is stored, and starts the workflow that runs the plan', async () => {
    const { plan, written, started, handOff } = projectionsOf();
    await handOff(planHandoffOf(plan));
    expect([written, started]).toEqual([['handedOff'], [plan.planId]]);
  });

  it('is refused for an unknown plan', async () => {
    const { plan, written, handOff } = projectionsOf();
    await expect(handOff(planHandoffOf(plan), randomUUID())).rejects.toMatchObject({ code: 'LAUNCH_UNKNOWN' });
    expect(written).toEqual([]);
  });

  it.each<[string, (plan: WrittenPlan) => Partial<PlanHandoff>]>([
    ['planId', () => ({ planId: randomUUID() })],
    ['requestSha256', ({ imageSha256 }) => ({ requestSha256: imageSha256 })],
    ['requestHash', () => ({ requestHash: word('0') })],
    ['contextHash', () => ({ contextHash: word('0') })],
    ['artifactHash', () => ({ artifactHash: word('0') })],
    ['validAfter', () => ({ validAfter: '1' })],
    ['deadline', () => ({ deadline: '2' })],
    ['steps', (plan) => ({ steps: planHandoffOf(plan).steps.slice(1) })],
    ['steps', (plan) => ({ steps: planHandoffOf(plan, 'atomic').steps })],
    ['to', (plan) => ({ steps: planHandoffOf({ ...plan, router: plan.controller }).steps })],
    ['from', (plan) => ({ steps: planHandoffOf({ ...plan, controller: plan.router }).steps })],
  ])('of another %s is refused and moves nothing', async (field, change) => {
    const { plan, written, started, handOff } = projectionsOf();
    await expect(handOff(planHandoffOf(plan, 'sequential', change(plan)))).rejects.toMatchObject({
      code: 'PROJECTION_MISMATCH',
      field: `handoff.${field}`,
    });
    expect([written, started]).toEqual([[], []]);
  });
});
