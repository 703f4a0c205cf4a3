import type { Hex } from '@launch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody } from '@launch/contracts';
import { addAuxiliary, alterProject, endAlterations, mineAgain } from './altered-project.js';
import { deceiving, running, withMetadata } from './fixtures/auxiliaries.fixture.js';
import { freshKey, freshNonce, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import { component, flipByte, moved, replaceIn, type Change } from './fixtures/request-changes.fixture.js';
import { reservations } from './fixtures/stack-databases.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { errorOf, type Answer, type LaunchApi } from './launch-api.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 120_000;

let stack: StackAccess;
let desk: LaunchDesk;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
  api = desk.api;
}, STARTS_WITHIN_MS);
afterAll(() => endAlterations(), 60_000);

describe('refused after the reservation, by what admission found', () => {
  const OWN_CODES = ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'];
  const UNKNOWN_ECONOMICS = 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED';

  const cases: [string, readonly string[], 'rejected' | 'evidence_required', Change][] = [
    [
      'a byte of source changed',
      ['CREATION_BYTECODE_MISMATCH', 'RUNTIME_BYTECODE_MISMATCH'],
      'rejected',
      replaceIn('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 21'),
    ],
    [
      'a byte of creation code changed',
      ['CREATION_BYTECODE_MISMATCH'],
      'rejected',
      (r) => {
        component(r).creationBytecode = flipByte(component(r).creationBytecode, 700) as Hex;
        moved(r);
      },
    ],
    [
      'a byte of declared runtime changed',
      ['RUNTIME_BYTECODE_MISMATCH'],
      'rejected',
      (r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40) as Hex),
    ],
    [
      'a source that does not compile',
      ['COMPILER_ERROR'],
      'rejected',
      replaceIn('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = nothing'),
    ],
    [
      'a source with more errors than anybody reads',
      ['COMPILER_ERROR'],
      'rejected',
      replaceIn('NativeFeeMath.sol', 'unchecked {', `unchecked { ${'nothing; '.repeat(600)}`),
    ],
    [
      'constructor arguments with another fee than the runtime carries',
      ['GRAPH_RUNTIME_NOT_MATERIALIZED'],
      'rejected',
      (r) => {
        component(r).constructorArgs = flipByte(component(r).constructorArgs, 32 * 2 + 31) as Hex;
        mineAgain(r);
      },
    ],
    [
      'a constructor that returns other code than it declares',
      ['GRAPH_RUNTIME_NOT_MATERIALIZED'],
      'rejected',
      (r) => addAuxiliary(r, deceiving('00')),
    ],
    [
      'a constructor that returns forbidden code in place of what it declares',
      ['GRAPH_RUNTIME_NOT_MATERIALIZED', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
      'rejected',
      (r) => addAuxiliary(r, deceiving('33ff')),
    ],
    [
      'hook bits that the address does not have',
      ['GRAPH_HOOK_PERMISSIONS_INVALID'],
      'rejected',
      (r) => {
        component(r).salt = flipByte(component(r).salt, 31) as Hex;
        moved(r);
      },
    ],
    [
      'a salt without the controller',
      ['GRAPH_SALT_CONTROLLER_MISMATCH'],
      'rejected',
      (r) => mineAgain(r, `0x${'11'.repeat(20)}`),
    ],
    [
      'CREATE in a runtime',
      ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
      'rejected',
      (r) => addAuxiliary(r, running('pop(create(0, 0, 0))')),
    ],
    [
      'CREATE2 in a runtime',
      ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
      'rejected',
      (r) => addAuxiliary(r, running('pop(create2(0, 0, 0, 0))')),
    ],
    [
      'a runtime of nothing but forbidden instructions',
      ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
      'rejected',
      (r) => (component(r).expectedRuntimeCode = `0x${'ff'.repeat(24_576)}`),
    ],
    [
      'a 0xef prefix',
      ['MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'],
      'rejected',
      (r) => (component(r).expectedRuntimeCode = `0xef${component(r).expectedRuntimeCode.slice(4)}`),
    ],
    // Compiles, matches, deploys and is still called Native20; it charges every fee twice.
    [
      'a kernel changed in one line',
      [UNKNOWN_ECONOMICS],
      'evidence_required',
      (r) =>
        alterProject(r, desk.l2, (input) => {
          const path = Object.keys(input.sources).find((name) => name.endsWith('NativeFeeKernel.sol'))!;
          input.sources[path]!.content = input.sources[path]!.content.replace(
            'fee = platformFee + creatorFee;\n        if',
            'fee = 2 * (platformFee + creatorFee);\n        if',
          );
        }),
    ],
    [
      'a harmless contract beside a known recipe, its metadata where no flow comes',
      [UNKNOWN_ECONOMICS],
      'evidence_required',
      (r) => addAuxiliary(r, withMetadata),
    ],
    [
      'known economics that carry other numbers than declared',
      ['MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION'],
      'evidence_required',
      (r) => (r.liquidityModel = { ...r.liquidityModel, liquidity: '1' }),
    ],
  ];

  it.each(cases)(
    '%s',
    async (_what, codes, disposition, change) => {
      const bytes = await desk.request(change);
      const { preflight, resource, replay } = await desk.refused(bytes);

      expect(resource).toMatchObject({
        status: 'action_required',
        wallet: null,
        sourceAssessment: { disposition, productionAuthority: false },
      });
      expect([...new Set(resource.findings.map(({ code }) => code))].sort()).toEqual([...codes].sort());
      const own = OWN_CODES.find((code) => codes.includes(code)) ?? 'MULTI_ROLE_EVIDENCE_REQUIRED';
      expect(replay).toEqual({ status: 422, code: own, statusUrl: resource.statusUrl });
      // What is found can be corrected; what the platform does not know waits for a verifier.
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
    'frees the nonce for a new request, which gets its permit',
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
    'nothing that a preflight leaves behind, whatever it says',
    async () => {
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
