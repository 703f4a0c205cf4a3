import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@launch/contracts/errors';
import { parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema } from '@launch/contracts/multi-role';
import type { ErrorBody } from '@launch/contracts/validation';
import type { Hex } from '@launch/evm';
import { buildInventoryRequest } from '@launch/multi-role';
import {
  fixtureInventoryInput,
  inventoryMaterial,
} from '../../../../clients/multi-role/src/fixtures/inventory.fixture.js';
import { endAlterations } from '../altered-project.js';
import { freshKey, freshNonce, LaunchDesk, seconds } from '../fixtures/launch-desk.fixture.js';
import { component, flipByte } from '../fixtures/request-changes.fixture.js';
import { reservations } from '../fixtures/stack-databases.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { errorOf, type Answer } from '../launch-api.js';
import { reseal, thaw } from '../request-mutation.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { INVENTORY_REFUSALS } from './inventory.corpus.js';
import { NATIVE20_REFUSALS, UNKNOWN_ECONOMICS, type RefusalCase } from './native20.corpus.js';

/**
 * Sends one case of each layer through the running product; refusal-rules.integration.spec.ts judges the whole corpus.
 */
const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 240_000;
const OWN_CODES: readonly ErrorCode[] = ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'];

let stack: StackAccess;
let desk: LaunchDesk;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
}, STARTS_WITHIN_MS);
afterAll(() => endAlterations());

/** Returns an inventory request of the stack's controller, changed and sealed again. */
async function inventory(change?: RefusalCase['change']): Promise<Uint8Array> {
  const { context, wallet, l2 } = desk;
  const input = fixtureInventoryInput('cedar', { context, wallet, nonce: freshNonce(), validAfter: seconds() - 30n });
  const { bytes } = await buildInventoryRequest(input, inventoryMaterial());
  if (change === undefined) return bytes;
  const request = thaw(createRequestSchema.parse(parseStrictJson(bytes)));
  await change(request, l2);
  return reseal(request);
}
const native20 = (change: RefusalCase['change']): Promise<Uint8Array> =>
  desk.request((request) => change(request, desk.l2));

const rowsOf = (cases: readonly RefusalCase[], make: typeof native20) =>
  cases.filter(({ endToEnd }) => endToEnd).map((one) => [one.what, one, make] as const);

describe('A launch that admission refuses after the reservation', () => {
  it.each([...rowsOf(NATIVE20_REFUSALS, native20), ...rowsOf(INVENTORY_REFUSALS, inventory)])(
    'is refused for %s',
    async (_what, { codes, disposition, change }, make) => {
      const { preflight, resource, replay } = await desk.refused(await make(change));

      expect(resource).toMatchObject({
        status: 'action_required',
        wallet: null,
        sourceAssessment: { disposition, productionAuthority: false },
      });
      expect([...new Set(resource.findings.map(({ code }) => code))].sort()).toEqual([...codes].sort());
      const own = OWN_CODES.find((code) => codes.includes(code)) ?? 'MULTI_ROLE_EVIDENCE_REQUIRED';
      expect(replay).toEqual({ status: 422, code: own, statusUrl: resource.statusUrl });
      // A finding can be corrected, and a mechanism that the platform does not know waits for a verifier.
      const action = codes.includes(UNKNOWN_ECONOMICS) ? 'await_platform_coverage' : 'correct_and_resubmit';
      expect([...new Set(resource.findings.map(({ remediation }) => remediation.action))]).toEqual([action]);
      expect(preflight.source.remediation).toEqual(resource.sourceAssessment!.remediation);
      expect(resource.sourceAssessment!.remediation).toMatch(/\w{5}/);

      expect(preflight.source).toMatchObject({ disposition, findingCodes: resource.sourceAssessment!.findingCodes });
      expect(preflight.findings).toEqual(resource.findings);
      const { decisions, signatures, handoffs, nonceHeld } = await recordsOf(stack, resource.launchId);
      expect({ decisions, signatures, handoffs, nonceHeld }).toEqual({
        decisions: [{ kind: 'refusal', permitDigest: null }],
        signatures: [],
        handoffs: [],
        nonceHeld: false,
      });
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'is never a published inventory project, which gets one permit and a hand-off',
    async () => {
      const { launchId } = await desk.reserve(await inventory(), freshKey());
      const { wallet } = await desk.authorized(launchId);
      expect(await recordsOf(stack, launchId)).toMatchObject({
        decisions: [{ kind: 'digest', permitDigest: wallet!.permitDigest }],
      });
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'frees its nonce for a new request, which gets its permit',
    async () => {
      const { nonce } = await desk.refused(
        await desk.request(
          (r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40) as Hex),
        ),
      );
      const { launchId } = await desk.reserve(await desk.request((r) => (r.nonce = nonce)), freshKey());
      const { wallet } = await desk.authorized(launchId);
      expect(await recordsOf(stack, launchId)).toMatchObject({
        nonceHeld: true,
        decisions: [{ kind: 'digest', permitDigest: wallet!.permitDigest }],
      });
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'is never a preflight, which leaves no trace with any verdict',
    async () => {
      const { api } = desk;
      const before = await reservations(stack);
      const nonce = freshNonce();
      const good = await desk.request((r) => (r.nonce = nonce));
      const bad = await desk.request((r) => {
        r.nonce = nonce;
        component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40) as Hex;
      });
      const dispositions = [];
      for (const bytes of [good, bad, good])
        dispositions.push(
          ((await api.preflight(bytes)) as Answer<{ source: { disposition: string } }>).body.source.disposition,
        );
      expect(dispositions).toEqual(['source_supported', 'rejected', 'source_supported']);
      expect(await reservations(stack)).toEqual(before);
      const { launchId } = await desk.reserve(good, freshKey());
      const answer = (await api.preflight(bad)) as Answer<ErrorBody>;
      expect([answer.status, errorOf(answer).code]).toEqual([422, 'NONCE_IN_USE']);
      await desk.authorized(launchId);
    },
    DECIDES_WITHIN_MS,
  );
});
