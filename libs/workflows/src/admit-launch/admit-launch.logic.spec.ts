import { describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { lost, outage } from '../fixtures/step-failures.fixture.js';
import { admit, begin, REF, REFUSAL, SIGNED } from '../fixtures/admission.fixture.js';

describe('The admission of a launch', () => {
  it('takes a good launch from the compilation to a published hand-off, with each step once and in order', async () => {
    const { outcome, stages, calls } = await admit({});
    expect(outcome).toBe('authorized');
    expect(calls).toEqual([
      ...['compile request', 'record admitting', 'judge', 'record assessment', 'rehearse'],
      ...['sign', 'simulate', 'record handoff'],
    ]);
    expect(stages).toEqual(['compile', 'judge', 'rehearse', 'custody', 'simulate', 'authorized']);
  });

  it('continues slow sources on the queue of long compilations', async () => {
    const { outcome, calls } = await admit({ compilesLong: true });
    expect(outcome).toBe('authorized');
    expect(calls.filter((call) => call !== 'record admitting').slice(0, 3)).toEqual([
      'compile request',
      'compile long request',
      'judge',
    ]);
  });

  it.each(['record admitting', 'record assessment'])(
    'continues without waiting for %s, and calls custody only after it is written',
    async (record) => {
      let write: () => void = () => undefined;
      const written = new Promise<void>((resolve) => (write = resolve));
      const admission = begin({ held: { [record]: written } });
      const next = record === 'record admitting' ? 'judge' : 'rehearse';
      while (!admission.calls.includes(next)) await Promise.resolve();
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      expect(admission.calls).not.toContain(record === 'record admitting' ? 'rehearse' : 'sign');
      write();
      expect(await admission.outcome).toBe('authorized');
    },
  );

  it.each([
    ['reverts', { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '/nonce')] }],
    ['cannot be judged', { kind: 'indeterminate', findings: [finding('SIMULATION_INDETERMINATE', '')] }],
  ] as const)(
    'refuses a launch whose rehearsal %s with its findings, without a permit, and its nonce is free',
    async (_what, rehearsal) => {
      const { outcome, calls, signedFor, released } = await admit({ rehearsal });
      expect(outcome).toBe('refused');
      expect(calls.slice(calls.indexOf('record assessment'))).toEqual([
        'record assessment',
        'rehearse',
        'issue refusal',
        'refuse',
        'record refused',
      ]);
      expect(signedFor).toMatchObject([{ codes: [rehearsal.findings[0].code] }]);
      expect(released).toEqual([true]);
    },
  );

  it('leaves a window that passed during the rehearsal to custody', async () => {
    const findings = [finding('CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', '/permitWindow/deadline')];
    const { outcome, calls } = await admit({
      rehearsal: { kind: 'window-passed' },
      sign: [{ kind: 'refused', findings, decided: true }],
    });
    expect([outcome, ...calls.slice(-4)]).toEqual(['refused', 'rehearse', 'sign', 'refuse', 'record refused']);
  });

  it('signs findings, asks custody to refuse, and never asks for a permit after them', async () => {
    const code = 'CREATION_BYTECODE_MISMATCH';
    const { outcome, calls, signedFor, askedToRefuse, released } = await admit({
      found: [finding(code, '/graphBundle'), finding(code, '/source')],
    });
    expect(outcome).toBe('refused');
    expect(calls).toEqual([
      ...['compile request', 'record admitting', 'judge'],
      ...['record assessment', 'issue refusal', 'refuse', 'record refused'],
    ]);
    const { launchId, requestSha256, requestHash } = REF;
    expect(signedFor).toEqual([{ launchId, requestSha256, requestHash, codes: [code] }]);
    expect(askedToRefuse).toEqual([{ launchId, requestSha256, refusalSha256: REFUSAL }]);
    expect(released).toEqual([true]);
  });

  it('keeps the nonce reserved when custody committed to a digest before the refusal', async () => {
    const { released } = await admit({
      found: [finding('RUNTIME_EMPTY', '')],
      refuse: { kind: 'digest-exists', permitDigest: `0x${'5'.repeat(64)}` },
    });
    expect(released).toEqual([false]);
  });

  it('calls custody again after a crash, with growing pauses, until custody answers', async () => {
    const { outcome, calls } = await admit({
      sign: [lost(), outage('CUSTODY_UNAVAILABLE'), outage('CUSTODY_UNAVAILABLE'), SIGNED],
    });
    expect(outcome).toBe('authorized');
    expect(calls.filter((call) => call === 'sign' || call.startsWith('pause'))).toEqual([
      'sign',
      'pause 250',
      'sign',
      'pause 500',
      'sign',
      'pause 1000',
      'sign',
    ]);
  });

  it('refuses a launch that custody refuses, and signs a refusal only if custody stored no decision', async () => {
    const findings = [finding('PERMIT_REFUSED', '')];
    const decided = await admit({ sign: [{ kind: 'refused', findings, decided: true }] });
    expect([decided.outcome, decided.calls.slice(-3)]).toEqual(['refused', ['sign', 'refuse', 'record refused']]);
    expect(decided.askedToRefuse).toMatchObject([{ refusalSha256: null }]);
    const undecided = await admit({ sign: [{ kind: 'refused', findings }] });
    expect([undecided.outcome, undecided.calls.slice(-4)]).toEqual([
      'refused',
      ['sign', 'issue refusal', 'refuse', 'record refused'],
    ]);
    expect(undecided.askedToRefuse).toMatchObject([{ refusalSha256: REFUSAL }]);
  });

  it('reports once that the wallet cannot pay, and continues when it can', async () => {
    const waiting = { kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' } as const;
    const { outcome, calls } = await admit({
      simulation: [waiting, waiting, { kind: 'simulated', handoffSha256: `sha256:${'a'.repeat(64)}` }],
    });
    expect(outcome).toBe('authorized');
    expect(calls.slice(calls.indexOf('sign'))).toEqual([
      'sign',
      'simulate',
      'record admitting CONTROLLER_FUNDS_MISSING',
      'pause 10000',
      'simulate',
      'pause 10000',
      'simulate',
      'record handoff',
    ]);
  });

  it('ends the wait for the wallet with the window', async () => {
    const { outcome, calls } = await admit({
      simulation: [{ kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' }, { kind: 'window-passed' }],
    });
    expect([outcome, calls.at(-1)]).toEqual(['expired', 'record expired']);
  });

  it.each([
    [{ kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '')] }, 'failed', 'record failed'],
    [{ kind: 'window-passed' }, 'expired', 'record expired'],
  ] as const)('never shows a permit whose simulation returns %o', async (simulation, expected, recorded) => {
    const { outcome, calls } = await admit({ simulation });
    expect(outcome).toBe(expected);
    expect(calls.at(-1)).toBe(recorded);
    expect(calls).not.toContain('record handoff');
  });
});
