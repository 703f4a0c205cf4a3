import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody, Finding, PreflightResult } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { childAddress } from '@launch/evm';
import { addAuxiliary, alterProject, endAlterations, mineAgain } from './altered-project.js';
import { deceiving, running, withMetadata } from './fixtures/auxiliaries.fixture.js';
import { ChainFaults } from './fixtures/chain-faults.fixture.js';
import { buying, freshKey, freshNonce, LaunchDesk, seconds } from './fixtures/launch-desk.fixture.js';
import { reservations } from './fixtures/stack-databases.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { startE2eStack, type E2eStack } from './fixtures/stack.fixture.js';
import { codesOf, errorOf, isTerminal, type Answer, type LaunchApi } from './launch-api.js';
import { editStandardJson, relocate, type MutableRequest } from './request-mutation.js';

const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 120_000;

let stack: E2eStack;
let desk: LaunchDesk;
let api: LaunchApi;

beforeAll(async () => {
  stack = await startE2eStack();
  desk = await LaunchDesk.open(stack);
  api = desk.api;
}, STARTS_WITHIN_MS);
afterAll(() => Promise.all([endAlterations(), stack?.stop()]), 60_000);

type Change = (request: MutableRequest) => unknown;
const window =
  (validAfter: bigint, deadline: bigint): Change =>
  (r) =>
    (r.permitWindow = { validAfter: String(seconds() + validAfter), deadline: String(seconds() + deadline) });
const component = (request: MutableRequest) => request.graphBundle.components[0]!;
const flipByte = (hex: string, byte: number): string => {
  const at = 2 + 2 * byte;
  return `${hex.slice(0, at)}${(Number.parseInt(hex.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')}${hex.slice(at + 2)}`;
};
const moved = (request: MutableRequest): void => relocate(request, (account) => childAddress(account, 1n));
const replaceIn =
  (file: string, from: string, to: string): Change =>
  (request) =>
    editStandardJson(request, (input) => {
      const path = Object.keys(input.sources).find((name) => name.endsWith(file))!;
      const { content } = input.sources[path]!;
      if (!content.includes(from)) throw new Error(`${file} has no ${from}`);
      input.sources[path]!.content = content.replace(from, to);
    });
const allCodes = (answer: Answer): string[] => [...new Set([errorOf(answer).code, ...codesOf(answer)])].sort();

describe('refused before anything is reserved', () => {
  const cases: [string, string, number, Change][] = [
    [
      'value that is not the sum of its parts',
      'FUNDING_TOTAL_MISMATCH',
      422,
      (r) => (r.funding = { totalValueWei: '1' }),
    ],
    ['half a buy', 'FUNDING_INVALID', 422, (r) => (r.fundingPlan = { ...r.fundingPlan, minimumTokensOut: '1' })],
    ['a permit window that is too long', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-10n, 3_700n)],
    ['a permit window that begins too early', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-3_700n, -200n)],
    ['a permit window that begins too late', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(120n, 900n)],
    ['a permit window that ends too soon', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-100n, 20n)],
    [
      'a context that was never published',
      'CONTEXT_NOT_CURRENT',
      422,
      (r) => (r.context = { ...r.context, profile: { ...r.context.profile, profileId: 'earlier' } }),
    ],
    [
      'a policy of its own making',
      'CONTEXT_NOT_CURRENT',
      422,
      (r) =>
        (r.context = {
          ...r.context,
          profile: {
            ...r.context.profile,
            instructionPolicy: { ...r.context.profile.instructionPolicy, id: 'service.anything-goes.v1' },
          },
        }),
    ],
    [
      'another wallet than the key is bound to',
      'WALLET_BINDING_MISMATCH',
      403,
      (r) => (r.launchWallet = '0x00112233445566778899aabbccddeeff00112233'),
    ],
    [
      'an image of another width than it says',
      'IMAGE_MISMATCH',
      422,
      (r) =>
        (r.projectMetadata = {
          ...r.projectMetadata,
          image: { ...r.projectMetadata.image, width: r.projectMetadata.image.width + 1 },
        }),
    ],
    [
      'an image of another type than it says',
      'IMAGE_MISMATCH',
      422,
      (r) =>
        (r.projectMetadata = { ...r.projectMetadata, image: { ...r.projectMetadata.image, mediaType: 'image/gif' } }),
    ],
    [
      'image bytes that are no image',
      'IMAGE_INVALID',
      422,
      (r) => {
        const file = r.source.additionalFiles.find(({ path }) => path === r.source.imagePath)!;
        const raw = Buffer.from(file.base64, 'base64');
        raw[raw.length - 5]! ^= 1;
        file.base64 = raw.toString('base64');
      },
    ],
  ];
  it.each(cases)(
    '%s',
    async (_what, code, status, change) => {
      const bytes = await desk.request(change);
      const before = await reservations(stack);
      const preflight = await api.preflight(bytes);
      const created = await api.create(bytes, freshKey());
      expect({ status: created.status, codes: allCodes(created), statusUrl: errorOf(created).statusUrl }).toEqual({
        status,
        codes: expect.arrayContaining([code]),
        statusUrl: null,
      });
      expect({ status: preflight.status, codes: allCodes(preflight) }).toEqual({ status, codes: allCodes(created) });
      expect(await reservations(stack)).toEqual(before);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'a context commitment that is not the hash of its context',
    async () => {
      const request = JSON.parse(Buffer.from(await desk.request()).toString('utf8')) as MutableRequest;
      request.contextCommitments = { ...request.contextCommitments, profileHash: `0x${'1'.repeat(64)}` };
      const answer = await api.create(canonicalizeJson(request), freshKey());
      expect([answer.status, codesOf(answer)]).toEqual([422, expect.arrayContaining(['CONTEXT_COMMITMENT_MISMATCH'])]);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'bytes that are not one canonical document of the schema, by create and preflight alike',
    async () => {
      const text = Buffer.from(await desk.request()).toString('utf8');
      const documents: [string, number, string][] = [
        [text.replace('{"attestation"', '{"attestation":null,"attestation"'), 400, 'JSON_DUPLICATE_KEY'],
        [`${text} `, 400, 'JSON_NOT_CANONICAL'],
        [text.slice(0, -1), 400, 'JSON_SYNTAX'],
        ['', 400, 'JSON_EMPTY'],
        [
          Buffer.from(canonicalizeJson({ ...(JSON.parse(text) as object), surprise: 1 })).toString('utf8'),
          422,
          'SCHEMA_UNKNOWN_FIELD',
        ],
        [' '.repeat(17 * 1024 * 1024), 413, 'REQUEST_TOO_LARGE'],
      ];
      for (const [document, status, code] of documents) {
        const created = await api.create(Buffer.from(document), freshKey());
        const preflight = await api.preflight(Buffer.from(document));
        expect([created, preflight].map((answer) => [answer.status, errorOf(answer).code])).toEqual([
          [status, code],
          [status, code],
        ]);
      }
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'a missing or malformed Idempotency-Key, and no key at all',
    async () => {
      const body = Buffer.from(await desk.request());
      const missing = await api.send('POST', '', { body });
      const short = await api.create(body, 'short');
      const anonymous = await api.send('POST', '', { body, key: null, headers: { 'idempotency-key': freshKey() } });
      expect([missing, short, anonymous].map((answer) => [answer.status, errorOf(answer).code])).toEqual([
        [400, 'IDEMPOTENCY_KEY_REQUIRED'],
        [400, 'IDEMPOTENCY_KEY_INVALID'],
        [401, 'UNAUTHENTICATED'],
      ]);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'leaving key and nonce to the corrected request',
    async () => {
      const nonce = freshNonce();
      const idempotencyKey = freshKey();
      const wrong = await desk.request((r) => {
        r.nonce = nonce;
        r.funding = { totalValueWei: '1' };
      });
      expect((await api.create(wrong, idempotencyKey)).status).toBe(422);
      const { launchId } = await desk.reserve(await desk.request((r) => (r.nonce = nonce)), idempotencyKey);
      expect((await desk.authorized(launchId)).wallet).not.toBeNull();
    },
    DECIDES_WITHIN_MS,
  );
});

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
        component(r).creationBytecode = flipByte(component(r).creationBytecode, 700);
        moved(r);
      },
    ],
    [
      'a byte of declared runtime changed',
      ['RUNTIME_BYTECODE_MISMATCH'],
      'rejected',
      (r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40)),
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
        component(r).constructorArgs = flipByte(component(r).constructorArgs, 32 * 2 + 31);
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
        component(r).salt = flipByte(component(r).salt, 31);
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
        await desk.request((r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40))),
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
        component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40);
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

describe('refused before custody, by what the rehearsal showed', () => {
  const TOO_MANY = 2n ** 200n;
  const nonceIs =
    (nonce: string, change: Change): Change =>
    (request) => {
      request.nonce = nonce;
      change(request);
    };

  it(
    'a minimum that the pool cannot give: preflight warns, the finding names both numbers, and the nonce is free for a minimum that it can',
    async () => {
      const nonce = freshNonce();
      const greedy = await desk.request(nonceIs(nonce, buying(TOO_MANY)));
      const key = freshKey();
      const preflight = (await api.preflight(greedy)) as Answer<PreflightResult>;
      expect([preflight.status, preflight.body]).toMatchObject([
        200,
        {
          source: { disposition: 'source_supported', findingCodes: [], remediation: null },
          findings: [{ code: 'SIMULATION_REVERTED', severity: 'warning' }],
        },
      ]);

      const { launchId } = await desk.reserve(greedy, key);
      const resource = await api.until(launchId, isTerminal);
      expect(resource).toMatchObject({
        status: 'action_required',
        statusReason: 'MULTI_ROLE_EVIDENCE_REQUIRED',
        wallet: null,
        sourceAssessment: { disposition: 'source_supported', findingCodes: [] },
      });
      const [finding] = resource.findings as [Finding];
      expect(resource.findings).toHaveLength(1);
      expect(finding).toMatchObject({
        code: 'SIMULATION_REVERTED',
        layer: 'simulation',
        severity: 'error',
        path: '/fundingPlan/minimumTokensOut',
        expected: `at least ${TOO_MANY} base units of the token from the first buy`,
        actual: expect.stringMatching(
          new RegExp(`^TooFewTokens\\(minimumTokensOut: ${TOO_MANY}, tokenDelta: [1-9]\\d*\\)$`),
        ),
        remediation: { action: 'correct_and_resubmit' },
      });
      expect(preflight.body.findings).toEqual([{ ...finding, severity: 'warning' }]);
      const replay = (await api.create(greedy, key)) as Answer<ErrorBody>;
      expect([replay.status, errorOf(replay)]).toMatchObject([
        422,
        { code: 'MULTI_ROLE_EVIDENCE_REQUIRED', retryable: false, statusUrl: resource.statusUrl, findings: [finding] },
      ]);
      expect(await recordsOf(stack, launchId)).toMatchObject({
        decisions: [{ kind: 'refusal', permitDigest: null }],
        signatures: [],
        handoffs: [],
        nonceHeld: false,
      });

      const gives = BigInt(/tokenDelta: (\d+)/.exec(finding.actual!)![1]!);
      const modest = await desk.request(nonceIs(nonce, buying(gives)));
      expect(((await api.preflight(modest)) as Answer<PreflightResult>).body.findings).toEqual([]);
      const { wallet } = await desk.authorized((await desk.reserve(modest, freshKey())).launchId);
      expect(wallet).not.toBeNull();
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'what no provider would say until its window was too short: preflight says nothing of it, and the nonce is free',
    async () => {
      const chains = new ChainFaults(stack);
      await chains.begin({ chain: '4663', observer: 1, faults: { errors: true, methods: ['eth_simulateV1'] } });
      try {
        const nonce = freshNonce();
        const brief: Change = (r) => {
          r.nonce = nonce;
          window(-30n, 70n)(r);
        };
        const preflight = (await api.preflight(await desk.request(brief))) as Answer<PreflightResult>;
        expect([preflight.status, preflight.body]).toMatchObject([
          200,
          { source: { disposition: 'source_supported' }, findings: [] },
        ]);
        const bytes = await desk.request(brief);
        const key = freshKey();
        const { launchId } = await desk.reserve(bytes, key);
        const resource = await api.until(launchId, isTerminal);
        expect(resource).toMatchObject({
          status: 'action_required',
          wallet: null,
          sourceAssessment: { disposition: 'source_supported' },
          findings: [{ code: 'SIMULATION_INDETERMINATE', actual: expect.stringContaining('simulation: ') }],
        });
        const replay = (await api.create(bytes, key)) as Answer<ErrorBody>;
        expect([replay.status, errorOf(replay)]).toMatchObject([
          422,
          { code: 'MULTI_ROLE_EVIDENCE_REQUIRED', findings: resource.findings },
        ]);
        expect(await recordsOf(stack, launchId)).toMatchObject({
          decisions: [{ kind: 'refusal', permitDigest: null }],
          signatures: [],
          nonceHeld: false,
        });
        await chains.endAll();
        expect(
          (
            await desk.authorized(
              (await desk.reserve(await desk.request((r) => (r.nonce = nonce)), freshKey())).launchId,
            )
          ).wallet,
        ).not.toBeNull();
      } finally {
        await chains.endAll();
      }
    },
    DECIDES_WITHIN_MS,
  );
});
