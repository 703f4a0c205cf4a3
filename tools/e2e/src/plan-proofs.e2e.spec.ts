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
} from '@launch/contracts/plans';
import { packOnStack } from '@launch/start';
import { noteCodes } from '@launch/testing';
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

/** Returns the packed launch as a sequential plan. */
function planBytes(): Uint8Array {
  const { moduleSelections: _none, ...members } = parseStrictJson(packed) as Record<string, unknown>;
  const plan = { ...members, schemaVersion: PLAN_REQUEST_SCHEMA, mode: 'sequential', predecessor: null };
  return canonicalizeJson(planRequestSchema.parse(plan));
}

async function ask(at: string, body?: Uint8Array): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${stack.gateway}${PLANS}${at}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      [PLAN_RESPONSE_VERSION_HEADER]: '1.0',
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

it(
  'A step accepts at most sixteen proofs once it was offered.',
  async () => {
    const created = await ask('', planBytes());
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
