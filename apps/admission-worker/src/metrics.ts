import { Counter, Histogram, isOutage, type Registry } from '@launch/platform';
import type { AdmissionSteps } from './admission.steps.js';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120];

/** Measures the steps: their duration, result, findings and decisions. */
export function measured(steps: AdmissionSteps, registry: Registry): AdmissionSteps {
  const seconds = new Histogram({
    name: 'launch_admission_step_duration_seconds',
    help: 'Steps of admission',
    labelNames: ['step', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const findings = new Counter({
    name: 'launch_admission_findings_total',
    help: 'Findings by code',
    labelNames: ['code'],
    registers: [registry],
  });
  const decisions = new Counter({
    name: 'launch_admission_decisions_total',
    help: 'Source decisions',
    labelNames: ['disposition'],
    registers: [registry],
  });

  const compilations = new Counter({
    name: 'launch_admission_compilations_total',
    help: 'Compilations of requests; an unfinished short one continues as a long one',
    labelNames: ['lane', 'outcome'],
    registers: [registry],
  });

  const timed =
    <A extends unknown[], R>(
      step: string,
      run: (...args: A) => Promise<R>,
      observe: (result: R) => void = () => undefined,
    ) =>
    async (...args: A): Promise<R> => {
      const stop = seconds.startTimer({ step });
      try {
        const result = await run(...args);
        stop({ outcome: 'answered' });
        observe(result);
        return result;
      } catch (error) {
        stop({ outcome: isOutage(error) ? 'undecided' : 'faulted' });
        throw error;
      }
    };
  const found = (verdict: { readonly findings: readonly { readonly code: string }[] }): void => {
    for (const { code } of verdict.findings) findings.inc({ code });
  };
  return {
    compileRequest: timed('compile', steps.compileRequest, (verdict) => {
      compilations.inc({ lane: 'short', outcome: verdict.kind });
      if (verdict.kind === 'refused') found(verdict);
    }),
    compileLongRequest: timed('compile-long', steps.compileLongRequest, (verdict) => {
      compilations.inc({ lane: 'long', outcome: verdict.kind });
      if (verdict.kind === 'refused') found(verdict);
    }),
    judgePreflight: timed('preflight', steps.judgePreflight, ({ checks }) => checks.forEach(found)),
    judgeGraph: timed('graph', steps.judgeGraph, found),
    judgeEconomics: timed('economics', steps.judgeEconomics, found),
    issueReceipt: timed('receipt', steps.issueReceipt, ({ disposition }) => decisions.inc({ disposition })),
    issueRefusal: timed('refusal', steps.issueRefusal),
    rehearseLaunch: timed('rehearse', steps.rehearseLaunch, (verdict) => {
      if ('findings' in verdict) found(verdict);
    }),
    readUsdReference: timed('usd-reference', steps.readUsdReference, (verdict) => {
      if ('findings' in verdict) found(verdict);
    }),
    simulateHandoff: timed('simulate', steps.simulateHandoff),
    simulateStep: timed('simulate-step', steps.simulateStep),
  };
}
