import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addAuxiliary, endAlterations, type Auxiliary } from '../altered-project.js';
import { deceiving, running, withMetadata } from '../fixtures/auxiliaries.fixture.js';
import { freshKey, LaunchDesk } from '../fixtures/launch-desk.fixture.js';
import { errorOf } from '../launch-api.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { withOwnController, type E2eStack, type StackAccess } from '../stacks/own-stack.js';

const POLICY = 'service.multi-role-runtime-instruction-policy.v2';
const DECIDES_WITHIN_MS = 240_000;

let stack: StackAccess;
let desk: LaunchDesk;

/** Checks the refusals of the historical instruction policy. The stack has published a context with it. */
export function historicalPolicy(stackOf: () => E2eStack): void {
  describe('a context with the historical instruction policy', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      desk = await LaunchDesk.open(stack);
    }, 300_000);
    afterAll(() => endAlterations());

    it('refuses module drafts when the deployment does not accept them', async () => {
      const key = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'] });
      const headers = { 'idempotency-key': freshKey() };
      const refused = await desk.api.send('POST', '/v1/modules/submissions', { key, headers, body: '{}' });
      expect([refused.status, errorOf(refused).code]).toEqual([503, 'MODULE_SUBMISSIONS_UNAVAILABLE']);
      const { body } = await desk.api.send('GET', '/v1/modules/capabilities', { key: null });
      expect(body).toMatchObject({ moduleContributions: { submissions: false }, operations: { read: true } });
    });

    const forbidden: [string, Auxiliary, string][] = [
      ['DELEGATECALL', running('pop(delegatecall(gas(), address(), 0, 0, 0, 0))'), 'DELEGATECALL (0xf4)'],
      ['CALLCODE', running('pop(callcode(gas(), address(), 0, 0, 0, 0, 0))'), 'CALLCODE (0xf2)'],
      ['SELFDESTRUCT', running('selfdestruct(caller())'), 'SELFDESTRUCT (0xff)'],
      // The byte is unreachable, but this policy counts every byte.
      ["the compiler's own metadata", withMetadata, 'DELEGATECALL (0xf4)'],
    ];
    it.each(forbidden)(
      'refuses %s in a declared runtime, before anything is compiled',
      async (_what, auxiliary, instruction) => {
        const { preflight, resource, replay } = await desk.refused(
          await desk.request((request) => addAuxiliary(request, auxiliary)),
        );
        const at = '/graphBundle/components/1/expectedRuntimeCode';
        expect(resource).toMatchObject({
          status: 'action_required',
          wallet: null,
          sourceAssessment: { disposition: 'rejected' },
        });
        expect(resource.findings.map(({ code, path }) => [code, path])).toEqual([
          ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', at],
        ]);
        expect(resource.findings[0]).toMatchObject({
          actual: expect.stringMatching(
            new RegExp(`^${instruction.replace(/[()]/g, '\\$&')} at program counter \\d+$`),
          ),
          expected: expect.stringContaining(POLICY),
        });
        expect(replay).toEqual({
          status: 422,
          code: 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
          statusUrl: resource.statusUrl,
        });
        expect(preflight.findings).toEqual(resource.findings);
        expect(await recordsOf(stack, resource.launchId)).toMatchObject({
          decisions: [{ kind: 'refusal', permitDigest: null }],
          signatures: [],
          nonceHeld: false,
        });
      },
      DECIDES_WITHIN_MS,
    );

    it(
      'refuses it in the code that a constructor really returns',
      async () => {
        const { resource } = await desk.refused(
          await desk.request((request) => addAuxiliary(request, deceiving('6000f4'))),
        );
        expect(resource.findings.map(({ code }) => code)).toEqual(
          expect.arrayContaining(['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'GRAPH_RUNTIME_NOT_MATERIALIZED']),
        );
      },
      DECIDES_WITHIN_MS,
    );

    it(
      'allows CREATE, so that the economics decide',
      async () => {
        const { resource } = await desk.refused(
          await desk.request((request) => addAuxiliary(request, running('pop(create(0, 0, 0))'))),
        );
        expect(resource.findings.map(({ code }) => code)).toEqual(['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED']);
      },
      DECIDES_WITHIN_MS,
    );

    it(
      'admits the reference, whose permit names this policy',
      async () => {
        const { instructionPolicy } = desk.context.profile;
        expect(instructionPolicy.id).toBe(POLICY);
        const { launchId } = await desk.reserve(await desk.request(), freshKey());
        const { wallet } = await desk.authorized(launchId);
        // The fields of the permit are whole words of the calldata.
        expect(wallet!.walletTransaction.data).toContain(instructionPolicy.policyHash.slice(2));
      },
      DECIDES_WITHIN_MS,
    );
  });
}
