import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  PLAN_REQUEST_SCHEMA,
  PLAN_RESPONSE_VERSION_HEADER,
  planErrorsSchema,
  planRequestSchema,
  planResourceSchema,
  type PlanMode,
  type PlanRequest,
} from '@launch/contracts/plans';
import { packOnStack } from '@launch/start';
import { noteCodes } from './code-ledger.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const OFFERED_WITHIN_MS = 120_000;
const PLANS = '/v4/chains/4663/custom-launch-plans';
const BUNDLES = path.resolve(import.meta.dirname, '../../../clients/multi-role/bundles');

let stack: StackAccess;
let apiKey: string;
let packed: Uint8Array;
beforeAll(async () => {
  stack = await useStack('launches');
  apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  ({ bytes: packed } = await packOnStack(stack.stack, BUNDLES));
}, STARTS_WITHIN_MS);

/** Returns the packed launch as a plan. */
function planBytes(mode: PlanMode, predecessor: PlanRequest['predecessor'] = null): Uint8Array {
  const { moduleSelections: _none, ...members } = parseStrictJson(packed) as Record<string, unknown>;
  const plan = { ...members, schemaVersion: PLAN_REQUEST_SCHEMA, mode, predecessor };
  return canonicalizeJson(planRequestSchema.parse(plan));
}

async function ask(at: string, body?: Uint8Array, version = '1.0'): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${stack.gateway}${PLANS}${at}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      [PLAN_RESPONSE_VERSION_HEADER]: version,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
  const json: unknown = await response.json();
  noteCodes(json);
  return { status: response.status, json };
}
const statusAndCode = async (answer: ReturnType<typeof ask>): Promise<unknown[]> => {
  const { status, json } = await answer;
  return [status, ...planErrorsSchema.parse(json).errors.map(({ code }) => code)];
};
const proof = (number: number): Uint8Array =>
  canonicalizeJson({
    schemaVersion: 'service.custom-launch-plan-step-proof.v1',
    transactionHash: `0x${number.toString(16).padStart(64, '0')}`,
  });

it('an unknown plan, a plan that the version cannot show, and a plan with a foreign place are refused', async () => {
  expect(await statusAndCode(ask(`/${randomUUID()}`))).toEqual([422, 'PLAN_NOT_FOUND']);
  expect(await statusAndCode(ask('', planBytes('atomic')))).toEqual([422, 'RESPONSE_VERSION_TOO_OLD']);
  const nobodys = { planId: randomUUID(), planDigest: `sha256:${'0'.repeat(64)}` as const };
  expect(await statusAndCode(ask('', planBytes('sequential', nobodys)))).toEqual([409, 'PREDECESSOR_MISMATCH']);
});

it.each([
  [2_048, 'CURSOR_INVALID'],
  [2_049, 'QUERY_INVALID'],
])('a cursor of %i characters that the service never issued is %s', async (characters, code) => {
  expect(await statusAndCode(ask(`?cursor=${'c'.repeat(characters)}`))).toEqual([422, code]);
});

it('a body of more than 16 MiB is refused by preflight and create alike', async () => {
  const tooLong = Buffer.concat([planBytes('sequential'), Buffer.alloc(16 * 1024 * 1024, ' ')]);
  for (const at of [':preflight', ''])
    expect(await statusAndCode(ask(at, tooLong))).toEqual([422, 'REQUEST_TOO_LARGE']);
});

it(
  'a step accepts sixteen proofs at most, once it was offered',
  async () => {
    const created = await ask('', planBytes('sequential'));
    expect([created.status, JSON.stringify(created.json)]).toEqual([202, expect.stringContaining('planId')]);
    const { planId, steps } = planResourceSchema.parse(created.json);
    const [first, last] = [steps[0]!.stepId, steps.at(-1)!.stepId];
    expect(await statusAndCode(ask(`/${planId}/steps/${last}/proofs`, proof(1)))).toEqual([422, 'STEP_NOT_READY']);
    const given = Date.now() + OFFERED_WITHIN_MS;
    for (;;) {
      const plan = planResourceSchema.parse((await ask(`/${planId}`)).json);
      if (plan.steps[0]!.authorization !== null) break;
      expect([plan.status, plan.findings, Date.now() < given]).toEqual([expect.anything(), [], true]);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const statuses: number[] = [];
    for (let number = 1; number <= 16; number += 1)
      statuses.push((await ask(`/${planId}/steps/${first}/proofs`, proof(number))).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect((await ask(`/${planId}/steps/${first}/proofs`, proof(16))).status).toBe(200);
    expect(await statusAndCode(ask(`/${planId}/steps/${first}/proofs`, proof(17)))).toEqual([
      422,
      'PROOF_LIMIT_REACHED',
    ]);
  },
  STARTS_WITHIN_MS,
);
