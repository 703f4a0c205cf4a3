import { describe, expect, it } from '@jest/globals';
import { finding, findingSchema, type Disposition } from '@launch/contracts';
import type {
  Finding,
  RefusalInput,
  RefuseLaunchInput,
  RefuseLaunchResult,
  RehearsalVerdict,
  SignPermitResult,
  SimulationVerdict,
} from '@launch/contracts/orchestration';
import { fault, lost, outage, unpolled } from '../fixtures/step-failures.fixture.js';
import { StepAbandoned } from '../steps/step-end.js';
import { admitLaunchLogic, type AdmitSteps } from './admit-launch.logic.js';

const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
const REF = {
  launchId: LAUNCH_ID,
  requestSha256: `sha256:${'1'.repeat(64)}`,
  requestHash: `0x${'2'.repeat(64)}`,
  contextHash: `0x${'3'.repeat(64)}`,
  controller: `0x${'4'.repeat(40)}`,
};
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
  /** Steps that are given up, by name, in the order of their calls. */
  readonly abandoned?: Readonly<Record<string, readonly StepAbandoned[]>>;
  /** True from this attempt at signing on, the first being 1. */
  readonly windowOverAt?: number;
  readonly mayGiveUp?: boolean;
}

const REFUSAL = `sha256:${'c'.repeat(64)}`;

function steps(script: Script) {
  const calls: string[] = [];
  const signedFor: RefusalInput[] = [];
  const askedToRefuse: RefuseLaunchInput[] = [];
  const released: boolean[] = [];
  const recorded: (readonly Finding[])[] = [];
  const abandoned = new Map(Object.entries(script.abandoned ?? {}).map(([name, errors]) => [name, [...errors]]));
  const said = <T>(name: string, value: T): Promise<T> => {
    calls.push(name);
    const error = abandoned.get(name)?.shift();
    return error === undefined ? Promise.resolve(value) : Promise.reject(error);
  };
  const signing = [...(script.sign ?? [SIGNED])];
  const simulations = [
    script.simulation ?? { kind: 'simulated' as const, handoffSha256: `sha256:${'a'.repeat(64)}` },
  ].flat();
  const issueRefusal = (name: string) => (input: RefusalInput) => {
    signedFor.push(input);
    return said(name, { refusalSha256: REFUSAL });
  };
  const refuseLaunch = (name: string) => (input: RefuseLaunchInput) => {
    askedToRefuse.push(input);
    return said(name, script.refuse ?? ({ kind: 'refused' } as const));
  };
  const world: AdmitSteps = {
    areRefusalsSigned: () => script.areRefusalsSigned ?? true,
    isWindowOver: () =>
      calls.filter((call) => call === 'sign').length >= (script.windowOverAt ?? Number.POSITIVE_INFINITY),
    mayGiveUp: () => script.mayGiveUp ?? true,
    late: {
      admission: { issueRefusal: issueRefusal('issue refusal late') },
      custody: { refuseLaunch: refuseLaunch('refuse late') },
    },
    admission: {
      scanDeclaredRuntimes: () => said('scan', { findings: script.declared ?? [] }),
      compileAndMatch: () =>
        said('compile', {
          findings: script.compiled ?? [],
          compiledSha256: script.compiled ? null : `sha256:${'7'.repeat(64)}`,
        }),
      judgeGraph: () => said('graph', { findings: script.graph ?? [], materialized: [] }),
      judgeEconomics: () =>
        said('economics', {
          findings: script.economics ?? [],
          economicsHash: script.economics ? null : `0x${'8'.repeat(64)}`,
          recipe: null,
        }),
      issueReceipt: (input) => {
        const disposition: Disposition = input.findings.length === 0 ? 'source_supported' : 'rejected';
        return said('receipt', {
          receiptSha256: `sha256:${'9'.repeat(64)}`,
          disposition,
          assessment: { disposition } as never,
        });
      },
      issueRefusal: issueRefusal('issue refusal'),
      rehearseLaunch: () => said('rehearse', script.rehearsal ?? { kind: 'passed' }),
      simulateHandoff: () => said('simulate', simulations.shift() as SimulationVerdict),
    },
    custody: {
      signPermit: () => {
        calls.push('sign');
        const next = signing.shift();
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next as SignPermitResult);
      },
      refuseLaunch: refuseLaunch('refuse'),
    },
    gateway: {
      recordAdmitting: ({ reason }) => said(`record admitting${reason === undefined ? '' : ` ${reason}`}`, undefined),
      recordAssessment: () => said('record assessment', undefined),
      recordRefused: (input) => {
        released.push(input.nonceReleased);
        recorded.push(input.findings);
        return said('record refused', undefined);
      },
      recordHandoff: () => said('record handoff', undefined),
      recordFailed: ({ findings }) => {
        recorded.push(findings);
        return said('record failed', undefined);
      },
      recordExpired: () => said('record expired', undefined),
    },
    isRehearsed: () => script.unrehearsed !== true,
    pause: (milliseconds) => said(`pause ${milliseconds}`, undefined),
  };
  return { calls, signedFor, askedToRefuse, released, recorded, steps: world };
}

const admit = (script: Script) => {
  const world = steps(script);
  const stages: string[] = [];
  return admitLaunchLogic(world.steps, { ref: REF, nonce: '7', router: ROUTER }, (stage) => stages.push(stage)).then(
    (outcome) => ({ outcome, stages, ...world }),
  );
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
  ] as const)(
    'refuses a launch whose rehearsal %s, with its findings, frees its nonce, and asks for no permit',
    async (_what, rehearsal) => {
      const { outcome, calls, signedFor, released } = await admit({ rehearsal });
      expect(outcome).toBe('refused');
      expect(calls.slice(calls.indexOf('receipt'))).toEqual([
        'receipt',
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

  it('leaves a window that passed while it was rehearsed to custody', async () => {
    const findings = [finding('CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', '/permitWindow/deadline')];
    const { outcome, calls } = await admit({
      rehearsal: { kind: 'window-passed' },
      sign: [{ kind: 'refused', findings, decided: true }],
    });
    expect([outcome, ...calls.slice(-4)]).toEqual(['refused', 'rehearse', 'sign', 'refuse', 'record refused']);
  });

  it('goes on as it began where it began before launches were rehearsed', async () => {
    const { outcome, calls } = await admit({ unrehearsed: true });
    expect([outcome, ...calls.slice(-4)]).toEqual([
      'authorized',
      'record assessment',
      'sign',
      'simulate',
      'record handoff',
    ]);
  });

  it.each([
    ['declared', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', ['scan']],
    ['compiled', 'CREATION_BYTECODE_MISMATCH', ['scan', 'compile']],
    ['graph', 'GRAPH_RUNTIME_NOT_MATERIALIZED', ['scan', 'compile', 'graph']],
    ['economics', 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', ['scan', 'compile', 'graph', 'economics']],
  ] as const)(
    'ends at %s findings, signs that, asks custody to refuse, and never for a permit',
    async (part, code, ran) => {
      const { outcome, calls, signedFor, askedToRefuse, released } = await admit({
        [part]: [finding(code, '/graphBundle'), finding(code, '/source')],
      });
      expect(outcome).toBe('refused');
      expect(calls).toEqual([
        'record admitting',
        ...ran,
        'receipt',
        'record assessment',
        'issue refusal',
        'refuse',
        'record refused',
      ]);
      const { launchId, requestSha256, requestHash } = REF;
      expect(signedFor).toEqual([{ launchId, requestSha256, requestHash, codes: [code] }]);
      expect(askedToRefuse).toEqual([{ launchId, requestSha256, refusalSha256: REFUSAL }]);
      expect(released).toEqual([true]);
    },
  );

  it('keeps the nonce when custody had committed a digest before the refusal', async () => {
    const { released } = await admit({
      declared: [finding('RUNTIME_EMPTY', '')],
      refuse: { kind: 'digest-exists', permitDigest: `0x${'5'.repeat(64)}` },
    });
    expect(released).toEqual([false]);
  });

  it('asks in the old form, unsigned, in a run that began before refusals were signed', async () => {
    const { calls, askedToRefuse } = await admit({
      declared: [finding('RUNTIME_EMPTY', '')],
      areRefusalsSigned: false,
    });
    expect(calls.slice(-2)).toEqual(['refuse', 'record refused']);
    const { launchId, requestSha256, requestHash, controller } = REF;
    expect(askedToRefuse).toEqual([
      { launchId, requestSha256, requestHash, controller, nonce: '7', router: ROUTER, reasonCodes: ['RUNTIME_EMPTY'] },
    ]);
  });

  it('asks custody again after a crash, with growing pauses, until it answers', async () => {
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

  it('refuses what custody refuses, signing it only where no decision of custody stands', async () => {
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

  it('says what it waits for, once, while the wallet cannot pay, and goes on when it can', async () => {
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

  it('ends the waiting with the window', async () => {
    const { outcome, calls } = await admit({
      simulation: [{ kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' }, { kind: 'window-passed' }],
    });
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

describe('a step that is given up', () => {
  const EVALUATED = [
    'scan',
    'compile',
    'graph',
    'economics',
    'receipt',
    'record assessment',
    'rehearse',
    'issue refusal',
    'refuse',
  ];
  const gaveUp = (step: string, reason: 'fault' | 'outage'): StepAbandoned =>
    new StepAbandoned(step, reason, 'SOME_CODE');

  it.each(EVALUATED.slice(0, 7))(
    'as our fault, at %s: the launch is refused, signed, with a finding that says so, and its nonce is free',
    async (step) => {
      const { outcome, stages, calls, signedFor, recorded, released } = await admit({
        abandoned: { [step]: [gaveUp(step, 'fault')] },
      });
      expect([outcome, stages.at(-1)]).toEqual(['refused', 'faulted']);
      expect(calls.slice(calls.indexOf(step))).toEqual([step, 'issue refusal', 'refuse', 'record refused']);
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

  it.each(EVALUATED.slice(0, 7))(
    'because its window is over, at %s: the launch is refused as expired, and its nonce is free',
    async (step) => {
      const { outcome, stages, recorded, released } = await admit({ abandoned: { [step]: [gaveUp(step, 'outage')] } });
      expect([outcome, stages.at(-1), released]).toEqual(['refused', 'refused', [true]]);
      expect(recorded).toMatchObject([
        [{ code: 'PERMIT_EXPIRED', path: '/permitWindow/deadline', actual: `${step}: SOME_CODE` }],
      ]);
    },
  );

  it.each([
    [
      'what custody cannot do, five times',
      { sign: Array.from({ length: 9 }, () => fault('DIGEST_MISMATCH')) },
      5,
      'INTERNAL',
      'DIGEST_MISMATCH',
      'faulted',
    ],
    [
      'a custody that is lost each time, twelve times',
      { sign: Array.from({ length: 20 }, lost) },
      12,
      'INTERNAL',
      'TIMEOUT_HEARTBEAT',
      'faulted',
    ],
    [
      'a custody that is away until the window is over',
      { sign: Array.from({ length: 99 }, () => outage('CUSTODY_UNAVAILABLE')), windowOverAt: 40 },
      40,
      'PERMIT_EXPIRED',
      'CUSTODY_UNAVAILABLE',
      'refused',
    ],
    [
      'a custody that nobody is, until the time is over',
      { sign: [unpolled()] },
      1,
      'PERMIT_EXPIRED',
      'TIMEOUT_SCHEDULE_TO_START',
      'refused',
    ],
  ] as const)(
    'at signing, by %s: the launch is refused, unless custody had committed',
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

  it('at signing is asked for ever only by a run that did so before', async () => {
    const { outcome, calls } = await admit({
      sign: [...Array.from({ length: 30 }, () => fault('X')), SIGNED],
      windowOverAt: 1,
      mayGiveUp: false,
    });
    expect([outcome, calls.filter((call) => call === 'sign').length]).toEqual(['authorized', 31]);
  });

  it.each([
    ['simulate', 'fault', 'failed', 'record failed'],
    ['simulate', 'outage', 'expired', 'record expired'],
    ['record handoff', 'fault', 'failed', 'record failed'],
  ] as const)(
    'once custody has signed, at %s as %s: the launch is %s, and custody is not asked to refuse',
    async (step, reason, expected, recorded) => {
      const { outcome, calls } = await admit({ abandoned: { [step]: [gaveUp(step, reason)] } });
      expect([outcome, calls.at(-1)]).toEqual([expected, recorded]);
      expect(calls).not.toContain('refuse');
    },
  );

  it.each(EVALUATED.slice(7))(
    'at %s: the launch ends with its findings and its nonce held, which is freed when somebody can be asked again',
    async (step) => {
      const { outcome, stages, calls, released, recorded } = await admit({
        declared: [finding('RUNTIME_EMPTY', '')],
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

  it('at the refusal, and a day later too: the launch ends with its nonce held, where an operator finds it', async () => {
    const { outcome, stages, calls, released } = await admit({
      declared: [finding('RUNTIME_EMPTY', '')],
      abandoned: { refuse: [gaveUp('refuse', 'outage')], 'refuse late': [gaveUp('refuse', 'outage')] },
    });
    expect([outcome, stages.at(-1), released, calls.at(-1)]).toEqual(['refused', 'nonce-held', [false], 'refuse late']);
  });

  it('at the record of its end leaves the run failed, for the relay to begin again', async () => {
    const error = gaveUp('record refused', 'fault');
    await expect(
      admit({ declared: [finding('RUNTIME_EMPTY', '')], abandoned: { 'record refused': [error, error] } }),
    ).rejects.toBe(error);
  });
});
