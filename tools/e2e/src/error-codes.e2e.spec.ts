import type { ErrorCode } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { launchIntentHash, type LaunchResource, type PreflightResult } from '@launch/contracts/multi-role';
import type { PlanErrors } from '@launch/contracts/plans';
import type { Hex } from '@launch/contracts/primitives';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addAuxiliary, endAlterations } from './altered-project.js';
import { freshKey, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import { inDatabase } from './fixtures/stack-databases.fixture.js';
import { errorOf, isTerminal, type Answer, type LaunchApi } from './launch-api.js';
import { editStandardJson, type MutableRequest } from './request-mutation.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

/**
 * Provokes the codes that need the whole product and that no other end-to-end test receives. The target `error-codes` of
 * `npm run test:full` checks that every code of the catalogue was answered.
 */
const STARTS_WITHIN_MS = 300_000;
const TAKES_MS = 240_000;

let stack: StackAccess;
let desk: LaunchDesk;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
  api = desk.api;
}, STARTS_WITHIN_MS);
afterAll(() => endAlterations());

type Change = (request: MutableRequest) => unknown;
const ZEROS = `0x${'0'.repeat(64)}`;
/** Returns status and code; for the plan transport the first of its codes. */
const statusAndCode = (answer: Answer): [number, string | undefined] => [
  answer.status,
  (answer.body as PlanErrors).errors?.[0]?.code ?? errorOf(answer).code,
];
const component = (request: MutableRequest) => request.graphBundle.components[0]!;
const hint = (number: number, generation = 'v2'): string =>
  JSON.stringify({
    schemaVersion: `service.multi-role-transaction-hint.${generation}`,
    transactionHash: `0x${number.toString(16).padStart(64, '0')}`,
  });

describe('a request with a wrong source or graph', () => {
  const bulk = (name: string, request: MutableRequest): Promise<void> =>
    addAuxiliary(request, {
      contract: name,
      source: `// SPDX-License-Identifier: MIT\npragma solidity 0.8.26;\ncontract ${name} { bytes private bulk = hex"${Buffer.from(name).toString('hex')}${'ab'.repeat(22_000)}"; }\n`,
    });

  // First a change that is sealed again, as a careful client would do; then one that is not.
  it.each<[ErrorCode, Change, Change | null]>([
    ['SOURCE_BUNDLE_HASH_MISMATCH', () => undefined, (r) => (r.source.bundleSha256 = `sha256:${'0'.repeat(64)}`)],
    ['SOURCE_MANIFEST_MISMATCH', () => undefined, (r) => r.source.manifest.pop()],
    [
      'CONSTRUCTOR_ARGUMENTS_MISMATCH',
      () => undefined,
      (r) => (r.compilerVerification.components[0]!.constructor.argumentsHash = ZEROS as Hex),
    ],
    ['GRAPH_RUNTIME_HASH_MISMATCH', () => undefined, (r) => (component(r).expectedRuntimeCodeHash = ZEROS as Hex)],
    [
      'COMPILER_VERSION_UNSUPPORTED',
      (r) => (r.compilerVerification.compilationUnits[0]!.compilerVersion = '0.4.11'),
      null,
    ],
    ['COMPILER_TARGET_MISSING', (r) => (r.compilerVerification.components[0]!.target.contract = 'Absent'), null],
    ['COMPILER_INPUT_INVALID', (r) => editStandardJson(r, (input) => (input.settings['modelChecker'] = {})), null],
    [
      'COMPILER_LIMIT_EXCEEDED',
      (r) =>
        editStandardJson(
          r,
          ({ sources }) =>
            (Object.values(sources)[0]!.content +=
              `\ncontract Endless { function f(uint a) public pure returns (uint) { return ${'a+'.repeat(100_000)}a; } }\n`),
        ),
      null,
    ],
    [
      'LIBRARY_UNLINKED',
      (r) =>
        r.compilerVerification.components[0]!.runtimeMaterialization.libraries.push({
          path: 'Absent.sol',
          name: 'Absent',
          address: desk.wallet,
        }),
      null,
    ],
    ['RUNTIME_EMPTY', (r) => (component(r).expectedRuntimeCode = '0x'), null],
    [
      'GRAPH_INVALID',
      (r) =>
        r.externalContracts.push({
          roleMask: 0,
          account: component(r).predictedAddress,
          runtimeCodeHash: ZEROS as Hex,
        }),
      null,
    ],
    ['GRAPH_ROLES_INVALID', (r) => (component(r).roleMask = 1), null],
    ['GRAPH_ADDRESS_MISMATCH', (r) => (component(r).predictedAddress = `0x${'12'.repeat(20)}`), null],
    ['GRAPH_CHILD_INVALID', (r) => (r.graphBundle.children[0]!.account = `0x${'12'.repeat(20)}`), null],
    ['GRAPH_POOL_INVALID', (r) => (r.graphBundle.officialPool.poolKey.fee = 3_000), null],
    [
      'GRAPH_EXTERNAL_INVALID',
      (r) => r.externalContracts.push({ roleMask: 0, account: `0x${'12'.repeat(20)}`, runtimeCodeHash: ZEROS as Hex }),
      null,
    ],
    [
      'GRAPH_CALLDATA_TOO_LARGE',
      async (r) => {
        for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await bulk(name, r);
      },
      null,
    ],
  ])(
    'is refused with %s',
    async (code, change, spoil) => {
      let bytes = await desk.request(change);
      if (spoil !== null) {
        const request = parseStrictJson(bytes) as unknown as MutableRequest;
        spoil(request);
        request.launchIntentHash = launchIntentHash(request);
        bytes = canonicalizeJson(request);
      }
      const answer = (await api.preflight(bytes)) as Answer<PreflightResult>;
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { source: { findingCodes: expect.arrayContaining([code]) } },
      ]);
    },
    TAKES_MS,
  );
});

describe('an existing launch', () => {
  let authorized: LaunchResource;
  let bytes: Uint8Array;
  const hinted = (body: string, launchId = authorized.launchId): Promise<Answer> =>
    api.send('POST', `${launchId}/transaction-hints`, { body });

  it(
    'gets HINT_VERSION_MISMATCH and, after sixteen hints, HINT_LIMIT_REACHED',
    async () => {
      bytes = await desk.request();
      authorized = await desk.authorized((await desk.reserve(bytes, freshKey())).launchId);
      expect(statusAndCode(await hinted(hint(1, 'v3')))).toEqual([422, 'HINT_VERSION_MISMATCH']);
      for (let number = 1; number <= 16; number += 1) expect((await hinted(hint(number))).status).toBe(202);
      expect(statusAndCode(await hinted(hint(17)))).toEqual([422, 'HINT_LIMIT_REACHED']);
      expect((await hinted(hint(16))).status).toBe(202);
    },
    TAKES_MS,
  );

  it(
    'gets PERMIT_REFUSED when the gateway lost a launch that custody remembers',
    async () => {
      expect(
        await inDatabase(stack, 'launch_gateway', 'DELETE FROM nonce_reservation WHERE nonce = $1 RETURNING 1', [
          authorized.nonce,
        ]),
      ).toHaveLength(1);
      const { launchId } = await desk.reserve(bytes, freshKey());
      const { status, wallet, findings } = await api.until(launchId, isTerminal);
      expect([status, wallet, findings.map(({ code }) => code)]).toEqual(['action_required', null, ['PERMIT_REFUSED']]);
    },
    TAKES_MS,
  );
});
