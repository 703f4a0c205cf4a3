import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  admissionInputs,
  compilationInputs,
  custodyInputs,
  ethereumFeedInputs,
  finalityInputs,
  gatewayInputs,
  indexerInputs,
  longCompilationInputs,
  moduleBuildInputs,
  moduleGatewayInputs,
  moduleReviewInputs,
  planAdmissionInputs,
  planFinalityInputs,
  planGatewayInputs,
  reviewReadinessInputs,
} from '@launch/contracts/activities';
import { validate } from '@launch/contracts/validation';
import { UNVERIFIED } from './fixtures/observed.fixture.js';

/**
 * An open workflow of one version calls activities and operations of the next, so the schemas must accept every input of the recorded
 * runs.
 */
const TESTDATA = path.resolve(import.meta.dirname, '../testdata');
const SCHEMAS: Readonly<Record<string, Parameters<typeof validate>[0]>> = {
  ...admissionInputs,
  ...compilationInputs,
  ...longCompilationInputs,
  ...custodyInputs,
  ...ethereumFeedInputs,
  ...finalityInputs,
  ...gatewayInputs,
  ...indexerInputs,
  ...moduleBuildInputs,
  ...moduleGatewayInputs,
  ...moduleReviewInputs,
  ...planAdmissionInputs,
  ...planFinalityInputs,
  ...planGatewayInputs,
  ...reviewReadinessInputs,
};

interface Call {
  readonly history: string;
  readonly activity: string;
  readonly args: readonly unknown[];
}
interface RecordedEvent {
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityType: { readonly name: string };
    readonly input?: { readonly payloads?: readonly { readonly data: string }[] };
  };
  readonly nexusOperationScheduledEventAttributes?: {
    readonly operation: string;
    readonly input: { readonly data: string };
  };
}
const decoded = ({ data }: { readonly data: string }): unknown => JSON.parse(Buffer.from(data, 'base64').toString());
const calls: readonly Call[] = globSync('*/*.json', { cwd: TESTDATA })
  .sort()
  .flatMap((history) => {
    const { events } = JSON.parse(readFileSync(path.join(TESTDATA, history), 'utf8')) as {
      readonly events: readonly RecordedEvent[];
    };
    return events.flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled, nexusOperationScheduledEventAttributes: called }) => {
        if (scheduled !== undefined) {
          const args = (scheduled.input?.payloads ?? []).map(decoded);
          return [{ history, activity: scheduled.activityType.name, args }];
        }
        return called === undefined ? [] : [{ history, activity: called.operation, args: [decoded(called.input)] }];
      },
    );
  });

const word = `0x${'1'.repeat(64)}`;
const ASSESSMENT = {
  schemaVersion: 'service.multi-role-source-assessment.v2',
  disposition: 'source_supported',
  findingCodes: [],
  receiptHash: `sha256:${'1'.repeat(64)}`,
  remediation: null,
  productionAuthority: false,
};
const PERMIT = {
  controller: `0x${'1'.repeat(40)}`,
  ...Object.fromEntries(
    ['requestHash', 'contextHash', 'economicsHash', 'instructionPolicyHash', 'graphHash', 'poolHash', 'callHash'].map(
      (hash) => [hash, word],
    ),
  ),
  ...Object.fromEntries(['value', 'nonce', 'validAfter', 'deadline'].map((number) => [number, '1'])),
};
/** Scripted steps returned only a part of some documents; this adds the rest. */
const WHOLE: Readonly<Record<string, (args: readonly never[]) => readonly unknown[]>> = {
  recordAssessment: ([input]: readonly { readonly assessment: object }[]) => [
    { ...input, assessment: { ...ASSESSMENT, ...input!.assessment } },
  ],
  simulateHandoff: ([ref, signed, ...reading]: readonly { readonly permit: object }[]) => [
    ref,
    { ...signed, permit: { ...PERMIT, ...signed!.permit } },
    ...reading,
  ],
  recordFinalized: ([input]: readonly object[]) => [{ signed: UNVERIFIED, ...input }],
};

describe('The inputs of recorded activities', () => {
  it.each([...new Set(calls.map(({ history }) => history))])('The recorded inputs of %s are parsed.', (history) => {
    for (const { activity, args } of calls.filter((call) => call.history === history)) {
      const whole = WHOLE[activity]?.(args as never) ?? args;
      expect([activity, validate(SCHEMAS[activity]!, whole)]).toEqual([activity, { ok: true, value: whole }]);
    }
  });

  it('cover every activity', () => {
    expect([...new Set(calls.map(({ activity }) => activity))].sort()).toEqual(Object.keys(SCHEMAS).sort());
  });
});
