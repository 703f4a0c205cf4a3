import { describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { findingSchema } from '@launch/contracts/validation';
import { fault, lost, outage, unpolled } from '../fixtures/step-failures.fixture.js';
import { StepAbandoned } from '../steps/step-end.js';
import { admit } from '../fixtures/admission.fixture.js';

describe('A step that is given up', () => {
  const JUDGING = ['compile request', 'record admitting', 'judge', 'record assessment', 'rehearse'];
  const REFUSING = ['issue refusal', 'refuse'];
  const gaveUp = (step: string, reason: 'fault' | 'outage'): StepAbandoned =>
    new StepAbandoned(step, reason, 'SOME_CODE');

  it.each(JUDGING)(
    'gives its launch, at %s by a fault of the service, a signed refusal with a finding and a free nonce',
    async (step) => {
      const { outcome, stages, calls, signedFor, recorded, released } = await admit({
        abandoned: { [step]: [gaveUp(step, 'fault')] },
      });
      expect([outcome, stages.at(-1)]).toEqual(['refused', 'faulted']);
      expect(calls.slice(-3)).toEqual(['issue refusal', 'refuse', 'record refused']);
      expect(calls).not.toContain('sign');
      expect(signedFor).toMatchObject([{ codes: ['INTERNAL'] }]);
      expect(recorded).toMatchObject([
        [
          {
            code: 'INTERNAL',
            layer: 'platform',
            actual: `${step}: SOME_CODE`,
            remediation: { action: 'contact_support' },
          },
        ],
      ]);
      expect(released).toEqual([true]);
      expect(findingSchema.parse(recorded[0]?.[0])).toEqual(recorded[0]?.[0]);
    },
  );

  it.each(JUDGING)(
    'refuses its launch as expired, at %s after the end of its window, with a free nonce',
    async (step) => {
      const { outcome, stages, recorded, released } = await admit({
        abandoned: { [step]: [gaveUp(step, 'outage')] },
      });
      expect([outcome, stages.at(-1), released]).toEqual(['refused', 'refused', [true]]);
      expect(recorded).toMatchObject([
        [{ code: 'PERMIT_EXPIRED', path: '/permitWindow/deadline', actual: `${step}: SOME_CODE` }],
      ]);
    },
  );

  it.each([
    [
      'five faults of custody',
      { sign: Array.from({ length: 9 }, () => fault('DIGEST_MISMATCH')) },
      5,
      'INTERNAL',
      'DIGEST_MISMATCH',
      'faulted',
    ],
    [
      'twelve lost attempts of custody',
      { sign: Array.from({ length: 20 }, lost) },
      12,
      'INTERNAL',
      'TIMEOUT_HEARTBEAT',
      'faulted',
    ],
    [
      'an outage of custody until the window is over',
      { sign: Array.from({ length: 99 }, () => outage('CUSTODY_UNAVAILABLE')), windowOverAt: 40 },
      40,
      'PERMIT_EXPIRED',
      'CUSTODY_UNAVAILABLE',
      'refused',
    ],
    [
      'a queue without custody until the time is over',
      { sign: [unpolled()] },
      1,
      'PERMIT_EXPIRED',
      'TIMEOUT_SCHEDULE_TO_START',
      'refused',
    ],
  ] as const)(
    'refuses its launch, at signing because of %s, unless custody committed to a digest',
    async (_what, script, asked, code, why, stage) => {
      const refused = await admit(script);
      expect([refused.outcome, refused.stages.at(-1), refused.released]).toEqual(['refused', stage, [true]]);
      expect(refused.calls.filter((call) => call === 'sign')).toHaveLength(asked);
      expect(refused.recorded).toMatchObject([[{ code, actual: `signPermit: ${why}` }]]);
      const committed = await admit({
        ...script,
        refuse: { kind: 'digest-exists', permitDigest: `0x${'5'.repeat(64)}` },
      });
      expect([committed.outcome, committed.calls.at(-1)]).toEqual(
        code === 'INTERNAL' ? ['failed', 'record failed'] : ['expired', 'record expired'],
      );
      expect(committed.released).toEqual([]);
    },
  );

  it.each([
    ['simulate', 'fault', 'failed', 'record failed'],
    ['simulate', 'outage', 'expired', 'record expired'],
    ['record handoff', 'fault', 'failed', 'record failed'],
  ] as const)(
    'ends its launch, at %s as %s after custody signed, as %s, and custody is not asked to refuse',
    async (step, reason, expected, recorded) => {
      const { outcome, calls } = await admit({ abandoned: { [step]: [gaveUp(step, reason)] } });
      expect([outcome, calls.at(-1)]).toEqual([expected, recorded]);
      expect(calls).not.toContain('refuse');
    },
  );

  it.each(REFUSING)(
    'ends its launch, at %s, with its findings and its nonce held, which is freed once the services answer again',
    async (step) => {
      const { outcome, stages, calls, released, recorded } = await admit({
        found: [finding('RUNTIME_EMPTY', '')],
        abandoned: { [step]: [gaveUp(step, 'outage')] },
      });
      expect([outcome, stages.slice(-2), released]).toEqual(['refused', ['nonce-held', 'refused'], [false, true]]);
      expect(calls.slice(calls.lastIndexOf(step) + 1)).toEqual([
        'record refused',
        'issue refusal late',
        'refuse late',
        'record refused',
      ]);
      expect(recorded.flat().map(({ code }) => code)).toEqual(['RUNTIME_EMPTY', 'RUNTIME_EMPTY']);
    },
  );

  it('ends its launch, at the refusal and still a day later, with its nonce held, which its memo shows to an operator', async () => {
    const { outcome, stages, calls, released } = await admit({
      found: [finding('RUNTIME_EMPTY', '')],
      abandoned: { refuse: [gaveUp('refuse', 'outage')], 'refuse late': [gaveUp('refuse', 'outage')] },
    });
    expect([outcome, stages.at(-1), released, calls.at(-1)]).toEqual(['refused', 'nonce-held', [false], 'refuse late']);
  });

  it('leaves the run failed at the record of its end, and the relay starts another one', async () => {
    const error = gaveUp('record refused', 'fault');
    await expect(
      admit({ found: [finding('RUNTIME_EMPTY', '')], abandoned: { 'record refused': [error, error] } }),
    ).rejects.toBe(error);
  });
});
