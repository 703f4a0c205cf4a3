import { describe, expect, it } from '@jest/globals';
import { finding, type Disposition } from '@launch/contracts';
import type { Finding, RefusalInput, RefuseLaunchInput, RefuseLaunchResult, RehearsalVerdict, SignPermitResult, SimulationVerdict } from '@launch/contracts/orchestration';
import { admitLaunchLogic, type AdmitSteps } from './admit-launch.logic.js';

const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
const REF = { launchId: LAUNCH_ID, requestSha256: `sha256:${'1'.repeat(64)}`, requestHash: `0x${'2'.repeat(64)}`, contextHash: `0x${'3'.repeat(64)}`, controller: `0x${'4'.repeat(40)}` };
const ROUTER = `0x${'b'.repeat(40)}`;
const SIGNED: SignPermitResult = {
  kind: 'signed',
  permitDigest: `0x${'5'.repeat(64)}`,
  signature: `0x${'6'.repeat(130)}`,
  permit: {} as never,
};

interface Script {
  readonly declared?: readonly Finding[];
  readonly compiled?: readonly Finding[];
  readonly graph?: readonly Finding[];
  readonly economics?: readonly Finding[];
  readonly sign?: readonly (SignPermitResult | Error)[];
  readonly refuse?: RefuseLaunchResult;
  readonly areRefusalsSigned?: boolean;
  readonly rehearsal?: RehearsalVerdict;
  /** A run that began before launches were rehearsed. */
  readonly unrehearsed?: true;
  readonly simulation?: SimulationVerdict | readonly SimulationVerdict[];
}

const REFUSAL = `sha256:${'c'.repeat(64)}`;

function steps(script: Script) {
  const calls: string[] = [];
  const signedFor: RefusalInput[] = [];
  const askedToRefuse: RefuseLaunchInput[] = [];
  const released: boolean[] = [];
  const said = <T>(name: string, value: T): Promise<T> => {
    calls.push(name);
    return Promise.resolve(value);
  };
  const signing = [...(script.sign ?? [SIGNED])];
  const simulations = [script.simulation ?? { kind: 'simulated' as const, handoffSha256: `sha256:${'a'.repeat(64)}` }].flat();
  const world: AdmitSteps = {
    areRefusalsSigned: () => script.areRefusalsSigned ?? true,
    admission: {
      scanDeclaredRuntimes: () => said('scan', { findings: script.declared ?? [] }),
      compileAndMatch: () => said('compile', { findings: script.compiled ?? [], compiledSha256: script.compiled ? null : `sha256:${'7'.repeat(64)}` }),
      judgeGraph: () => said('graph', { findings: script.graph ?? [], materialized: [] }),
      judgeEconomics: () => said('economics', { findings: script.economics ?? [], economicsHash: script.economics ? null : `0x${'8'.repeat(64)}`, recipe: null }),
      issueReceipt: (input) => {
        const disposition: Disposition = input.findings.length === 0 ? 'source_supported' : 'rejected';
        return said('receipt', { receiptSha256: `sha256:${'9'.repeat(64)}`, disposition, assessment: { disposition } as never });
      },
      issueRefusal: (input) => {
        signedFor.push(input);
        return said('issue refusal', { refusalSha256: REFUSAL });
      },
      rehearseLaunch: () => said('rehearse', script.rehearsal ?? { kind: 'passed' }),
      simulateHandoff: () => said('simulate', simulations.shift() as SimulationVerdict),
    },
    custody: {
      signPermit: () => {
        calls.push('sign');
        const next = signing.shift();
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next as SignPermitResult);
      },
      refuseLaunch: (input) => {
        askedToRefuse.push(input);
        return said('refuse', script.refuse ?? { kind: 'refused' });
      },
    },
    gateway: {
      recordAdmitting: ({ reason }) => said(`record admitting${reason === undefined ? '' : ` ${reason}`}`, undefined),
      recordAssessment: () => said('record assessment', undefined),
      recordRefused: (input) => {
        released.push(input.nonceReleased);
        return said('record refused', undefined);
      },
      recordHandoff: () => said('record handoff', undefined),
      recordFailed: () => said('record failed', undefined),
      recordExpired: () => said('record expired', undefined),
    },
    isRehearsed: () => script.unrehearsed !== true,
    pause: (milliseconds) => said(`pause ${milliseconds}`, undefined),
  };
  return { calls, signedFor, askedToRefuse, released, steps: world };
}

const admit = (script: Script) => {
  const world = steps(script);
  return admitLaunchLogic(world.steps, { ref: REF, nonce: '7', router: ROUTER }, () => undefined).then((outcome) => ({ outcome, ...world }));
};

describe('admitLaunch', () => {
  it('takes a good launch from the scan to a published hand-off, each step once and in order', async () => {
    const { outcome, calls } = await admit({});
    expect(outcome).toBe('authorized');
    expect(calls).toEqual([
      ...['record admitting', 'scan', 'compile', 'graph', 'economics', 'receipt', 'record assessment'],
      ...['rehearse', 'sign', 'simulate', 'record handoff'],
    ]);
  });

  it.each([
    ['reverts', { kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '/nonce')] }],
    ['cannot be judged', { kind: 'indeterminate', findings: [finding('SIMULATION_INDETERMINATE', '')] }],
  ] as const)('refuses a launch whose rehearsal %s, with its findings, frees its nonce, and asks for no permit', async (_what, rehearsal) => {
    const { outcome, calls, signedFor, released } = await admit({ rehearsal });
    expect(outcome).toBe('refused');
    expect(calls.slice(calls.indexOf('receipt'))).toEqual(['receipt', 'record assessment', 'rehearse', 'issue refusal', 'refuse', 'record refused']);
    expect(signedFor).toMatchObject([{ codes: [rehearsal.findings[0].code] }]);
    expect(released).toEqual([true]);
  });

  it('leaves a window that passed while it was rehearsed to custody', async () => {
    const findings = [finding('CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', '/permitWindow/deadline')];
    const { outcome, calls } = await admit({ rehearsal: { kind: 'window-passed' }, sign: [{ kind: 'refused', findings, decided: true }] });
    expect([outcome, ...calls.slice(-4)]).toEqual(['refused', 'rehearse', 'sign', 'refuse', 'record refused']);
  });

  it('goes on as it began where it began before launches were rehearsed', async () => {
    const { outcome, calls } = await admit({ unrehearsed: true });
    expect([outcome, ...calls.slice(-4)]).toEqual(['authorized', 'record assessment', 'sign', 'simulate', 'record handoff']);
  });

  it.each([
    ['declared', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', ['scan']],
    ['compiled', 'CREATION_BYTECODE_MISMATCH', ['scan', 'compile']],
    ['graph', 'GRAPH_RUNTIME_NOT_MATERIALIZED', ['scan', 'compile', 'graph']],
    ['economics', 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', ['scan', 'compile', 'graph', 'economics']],
  ] as const)('ends at %s findings, signs that, asks custody to refuse, and never for a permit', async (part, code, ran) => {
    const { outcome, calls, signedFor, askedToRefuse, released } = await admit({ [part]: [finding(code, '/graphBundle'), finding(code, '/source')] });
    expect(outcome).toBe('refused');
    expect(calls).toEqual(['record admitting', ...ran, 'receipt', 'record assessment', 'issue refusal', 'refuse', 'record refused']);
    const { launchId, requestSha256, requestHash } = REF;
    expect(signedFor).toEqual([{ launchId, requestSha256, requestHash, codes: [code] }]);
    expect(askedToRefuse).toEqual([{ launchId, requestSha256, refusalSha256: REFUSAL }]);
    expect(released).toEqual([true]);
  });

  it('keeps the nonce when custody had committed a digest before the refusal', async () => {
    const { released } = await admit({ declared: [finding('RUNTIME_EMPTY', '')], refuse: { kind: 'digest-exists', permitDigest: `0x${'5'.repeat(64)}` } });
    expect(released).toEqual([false]);
  });

  it('asks in the old form, unsigned, in a run that began before refusals were signed', async () => {
    const { calls, askedToRefuse } = await admit({ declared: [finding('RUNTIME_EMPTY', '')], areRefusalsSigned: false });
    expect(calls.slice(-2)).toEqual(['refuse', 'record refused']);
    const { launchId, requestSha256, requestHash, controller } = REF;
    expect(askedToRefuse).toEqual([{ launchId, requestSha256, requestHash, controller, nonce: '7', router: ROUTER, reasonCodes: ['RUNTIME_EMPTY'] }]);
  });

  it('asks custody again after a crash, with growing pauses, until it answers', async () => {
    const crash = new Error('worker gone');
    const { outcome, calls } = await admit({ sign: [crash, crash, crash, SIGNED] });
    expect(outcome).toBe('authorized');
    expect(calls.filter((call) => call === 'sign' || call.startsWith('pause'))).toEqual(['sign', 'pause 250', 'sign', 'pause 500', 'sign', 'pause 1000', 'sign']);
  });

  it('does not ask again when custody says that asking again cannot help', async () => {
    const final = new Error('Activity task failed', { cause: Object.assign(new Error('receipt forged'), { nonRetryable: true }) });
    await expect(admit({ sign: [final, SIGNED] })).rejects.toBe(final);
  });

  it('refuses what custody refuses, signing it only where no decision of custody stands', async () => {
    const findings = [finding('PERMIT_REFUSED', '')];
    const decided = await admit({ sign: [{ kind: 'refused', findings, decided: true }] });
    expect([decided.outcome, decided.calls.slice(-3)]).toEqual(['refused', ['sign', 'refuse', 'record refused']]);
    expect(decided.askedToRefuse).toMatchObject([{ refusalSha256: null }]);
    const undecided = await admit({ sign: [{ kind: 'refused', findings }] });
    expect([undecided.outcome, undecided.calls.slice(-4)]).toEqual(['refused', ['sign', 'issue refusal', 'refuse', 'record refused']]);
    expect(undecided.askedToRefuse).toMatchObject([{ refusalSha256: REFUSAL }]);
  });

  it('says what it waits for, once, while the wallet cannot pay, and goes on when it can', async () => {
    const waiting = { kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' } as const;
    const { outcome, calls } = await admit({ simulation: [waiting, waiting, { kind: 'simulated', handoffSha256: `sha256:${'a'.repeat(64)}` }] });
    expect(outcome).toBe('authorized');
    expect(calls.slice(calls.indexOf('sign'))).toEqual([
      'sign', 'simulate', 'record admitting CONTROLLER_FUNDS_MISSING', 'pause 10000', 'simulate', 'pause 10000', 'simulate', 'record handoff',
    ]);
  });

  it('ends the waiting with the window', async () => {
    const { outcome, calls } = await admit({ simulation: [{ kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' }, { kind: 'window-passed' }] });
    expect([outcome, calls.at(-1)]).toEqual(['expired', 'record expired']);
  });

  it.each([
    [{ kind: 'reverted', findings: [finding('SIMULATION_REVERTED', '')] }, 'failed', 'record failed'],
    [{ kind: 'window-passed' }, 'expired', 'record expired'],
  ] as const)('never shows a permit whose simulation says %o', async (simulation, expected, recorded) => {
    const { outcome, calls } = await admit({ simulation });
    expect(outcome).toBe(expected);
    expect(calls.at(-1)).toBe(recorded);
    expect(calls).not.toContain('record handoff');
  });
});
