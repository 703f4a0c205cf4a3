import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitContext, keccak256Hex, type CreateRequest, type ErrorCode } from '@launch/contracts';
import type { Hex } from '@launch/evm';
import { hexToBytes } from 'viem/utils';
import { pinContext } from '../pinned-context.js';
import { alteredRequest, AUTHORITY, CONTROLLER, fixtureContext, NOW, packedRequest } from '../fixtures/launch.fixture.js';
import { judgeRequest } from './judge-request.js';

const pinned = pinContext(JSON.stringify(fixtureContext()), AUTHORITY);
let bytes: Uint8Array;
beforeAll(async () => {
  bytes = await packedRequest(7n);
}, 120_000);

const codesOf = (given: Uint8Array, now = NOW): ErrorCode[] => {
  const judged = judgeRequest(given, pinned, now);
  return judged.kind === 'acceptable' ? [] : judged.findings.map((entry) => entry.code);
};

describe('what custody finds out by itself', () => {
  it('accepts the reference launch and computes its economics', () => {
    expect(judgeRequest(bytes, pinned, NOW)).toMatchObject({
      kind: 'acceptable',
      requestHash: keccak256Hex(bytes),
      economicsHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      request: { launchWallet: CONTROLLER, nonce: '7' },
    });
  });

  it.each([
    [60, []],
    [59, ['CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID']],
    [-1, ['CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID']],
  ])('judges the window: %i seconds left', (left, codes) => {
    expect(codesOf(bytes, NOW + 1_800 - left)).toEqual(codes);
  });

  const component = (request: CreateRequest) => request.graphBundle.components[0]!;
  const setRuntime = (request: CreateRequest, runtime: string): void => {
    component(request).expectedRuntimeCode = runtime;
    component(request).expectedRuntimeCodeHash = keccak256Hex(hexToBytes(runtime as Hex));
  };
  const altered: readonly [string, (request: CreateRequest) => void, ErrorCode][] = [
    ['a context of another release', (request) => { request.context = fixtureContext('another'); request.contextCommitments = commitContext(request.context); }, 'CONTEXT_NOT_CURRENT'],
    ['a context with another router', (request) => { request.context.chainDeployment.router.address = `0x${'9'.repeat(40)}`; request.contextCommitments = commitContext(request.context); }, 'CONTEXT_NOT_CURRENT'],
    ['a false commitment', (request) => { request.contextCommitments.profileHash = `0x${'9'.repeat(64)}`; }, 'CONTEXT_COMMITMENT_MISMATCH'],
    ['a window that is too long', (request) => { request.permitWindow.validAfter = String(NOW - 3_000); }, 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID'],
    ['sums that do not add up', (request) => { request.funding.totalValueWei = '1'; }, 'FUNDING_TOTAL_MISMATCH'],
    ['another bundle digest', (request) => { request.source.bundleSha256 = `sha256:${'9'.repeat(64)}`; }, 'SOURCE_BUNDLE_HASH_MISMATCH'],
    ['another controller', (request) => { request.launchWallet = `0x${'9'.repeat(40)}`; }, 'GRAPH_SALT_CONTROLLER_MISMATCH'],
    ['another predicted address', (request) => { component(request).predictedAddress = `0x${'9'.repeat(40)}`; }, 'GRAPH_ADDRESS_MISMATCH'],
    ['a pool with a fee', (request) => { request.graphBundle.officialPool.poolKey.fee = 3_000; }, 'GRAPH_POOL_INVALID'],
    ['another price', (request) => { request.graphBundle.officialPool.sqrtPriceX96 = '79228162514264337593543950336'; }, 'MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION'],
    ['another child runtime', (request) => { request.graphBundle.children[0]!.runtimeCodeHash = `0x${'9'.repeat(64)}`; }, 'MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION'],
    ['a child that nobody makes', (request) => { request.graphBundle.children[0]!.account = `0x${'9'.repeat(40)}`; }, 'GRAPH_CHILD_INVALID'],
    ['a runtime with a forbidden instruction', (request) => setRuntime(request, `${component(request).expectedRuntimeCode}ff`), 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
    ['a runtime of an unknown recipe', (request) => setRuntime(request, `${component(request).expectedRuntimeCode}00`), 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'],
    ['other creation code', (request) => { component(request).creationBytecode = `${component(request).creationBytecode}00`; }, 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'],
  ];
  it.each(altered)('refuses %s', (_name, change, code) => {
    expect(codesOf(alteredRequest(bytes, change))).toContain(code);
  });

  it('refuses a launch intent that is not the hash of the request', () => {
    const text = new TextDecoder().decode(bytes).replace(/("launchIntentHash":"0x)[0-9a-f]{2}/, '$100');
    expect(codesOf(new TextEncoder().encode(text))).toEqual(['LAUNCH_INTENT_HASH_MISMATCH']);
  });

  it.each([
    ['a trailing line break', (text: string) => `${text}\n`],
    ['spaces', (text: string) => text.replace('{"', '{ "')],
    ['a repeated key', (text: string) => text.replace('{"', '{"nonce":"8","')],
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
  ])('takes no request from bytes with %s', (_name, spoil) => {
    const spoiled = new TextEncoder().encode(spoil(new TextDecoder().decode(bytes)));
    expect(judgeRequest(spoiled, pinned, NOW)).toMatchObject({ kind: 'unacceptable', request: null, findings: [{ code: 'PERMIT_REFUSED' }] });
  });

  it('takes no open object', () => {
    expect(codesOf(alteredRequest(bytes, (request) => Object.assign(request, { extra: 1 })))).toEqual(['SCHEMA_UNKNOWN_FIELD']);
  });
});

describe('the pinned context', () => {
  it('must name the signer among its permit authorities', () => {
    expect(() => pinContext(JSON.stringify(fixtureContext()), CONTROLLER)).toThrow(TypeError);
  });
  it('must be a context', () => {
    expect(() => pinContext('{}', AUTHORITY)).toThrow();
    expect(() => pinContext(JSON.stringify({ ...fixtureContext(), chainId: '1' }), AUTHORITY)).toThrow();
  });
  it('must name one router', () => {
    const context = fixtureContext();
    context.chainBindings.router = `0x${'9'.repeat(40)}`;
    expect(() => pinContext(JSON.stringify(context), AUTHORITY)).toThrow('two routers');
  });
});
