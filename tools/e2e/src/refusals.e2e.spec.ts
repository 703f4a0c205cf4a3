import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateRequest, LaunchContext, LaunchResource } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { childAddress, type Hex } from '@launch/evm';
import { startE2eStack, type E2eStack } from './fixtures/stack.fixture.js';
import { codesOf, errorOf, isTerminal, launchApi, type LaunchApi } from './launch-api.js';
import { packReference } from './reference-request.js';
import { editStandardJson, relocate, reseal, thaw, type MutableRequest } from './request-mutation.js';

let stack: E2eStack;
let api: LaunchApi;
let context: LaunchContext;
let wallet: Hex;

const seconds = (): bigint => BigInt(Math.floor(Date.now() / 1000));
const nonce = (): bigint => BigInt(`0x${randomBytes(16).toString('hex')}`);
const key = (): string => `e2e-${randomUUID()}`;

beforeAll(async () => {
  stack = await startE2eStack();
  wallet = stack.controller as Hex;
  api = launchApi(stack.gateway, await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }));
  context = await api.context();
}, 300_000);
afterAll(() => stack?.stop(), 60_000);

const pack = (choices: { referenceCase?: 'zero' | 'buy'; validAfter?: bigint; deadline?: bigint; wallet?: Hex; nonce?: bigint } = {}): Promise<{ bytes: Uint8Array; request: CreateRequest }> =>
  packReference({ context, wallet, nonce: nonce(), validAfter: seconds() - 30n, deadline: seconds() + 1_800n, ...choices });

/** A reference request with one thing changed and everything else sealed again around it. */
async function mutated(mutate: (request: MutableRequest) => void): Promise<Uint8Array> {
  const request = thaw((await pack()).request);
  mutate(request);
  return reseal(request);
}

const component = (request: MutableRequest) => request.graphBundle.components[0]!;
const flipByte = (hex: string, byte: number): string => {
  const at = 2 + 2 * byte;
  return `${hex.slice(0, at)}${(Number.parseInt(hex.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')}${hex.slice(at + 2)}`;
};
const vaultOf = (account: Hex): Hex => childAddress(account, 1n);

describe('refused before anything is reserved, the key stays free', () => {
  it.each<[string, string, number, (request: MutableRequest) => void]>([
    ['value that is not the sum of its parts', 'FUNDING_TOTAL_MISMATCH', 422, (r) => (r.funding = { totalValueWei: '1' })],
    ['half a buy', 'FUNDING_INVALID', 422, (r) => (r.fundingPlan = { ...r.fundingPlan, minimumTokensOut: '1' })],
    ['a permit window that is too long', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, (r) => (r.permitWindow = { validAfter: String(seconds() - 10n), deadline: String(seconds() + 3_700n) })],
    ['a permit window that begins too early', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, (r) => (r.permitWindow = { validAfter: String(seconds() - 3_700n), deadline: String(seconds() + 600n) })],
    ['a permit window that begins too late', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, (r) => (r.permitWindow = { validAfter: String(seconds() + 120n), deadline: String(seconds() + 900n) })],
    ['a permit window that ends too soon', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, (r) => (r.permitWindow = { validAfter: String(seconds() - 100n), deadline: String(seconds() + 20n) })],
    ['a stale context', 'CONTEXT_NOT_CURRENT', 422, (r) => (r.context = { ...r.context, profile: { ...r.context.profile, profileId: 'earlier' } })],
    ['another wallet than the key is bound to', 'WALLET_BINDING_MISMATCH', 403, (r) => (r.launchWallet = '0x00112233445566778899aabbccddeeff00112233')],
    ['an image that is not what it says', 'IMAGE_MISMATCH', 422, (r) => (r.projectMetadata = { ...r.projectMetadata, image: { ...r.projectMetadata.image, width: r.projectMetadata.image.width + 1 } })],
  ])('%s', async (_what, code, status, mutate) => {
    const bytes = await mutated(mutate);
    const answer = await api.create(bytes, key());
    expect({ status: answer.status, codes: [errorOf(answer).code, ...codesOf(answer)] }).toMatchObject({ status, codes: expect.arrayContaining([code]) });
    expect(errorOf(answer).statusUrl).toBeNull();
  });

  it('a context commitment that is not the hash of its context', async () => {
    const request = thaw((await pack()).request);
    request.contextCommitments = { ...request.contextCommitments, profileHash: `0x${'1'.repeat(64)}` };
    const answer = await api.create(canonicalizeJson(request), key());
    expect(answer.status).toBe(422);
    expect(codesOf(answer)).toEqual(expect.arrayContaining(['CONTEXT_COMMITMENT_MISMATCH']));
  });

  it('image bytes that are no image', async () => {
    const bytes = await mutated((r) => {
      const file = r.source.additionalFiles.find((entry) => entry.path === r.source.imagePath)!;
      const raw = Buffer.from(file.base64, 'base64');
      raw[raw.length - 5]! ^= 1;
      file.base64 = raw.toString('base64');
    });
    const answer = await api.create(bytes, key());
    expect(answer.status).toBe(422);
    expect(codesOf(answer).some((code) => code === 'IMAGE_INVALID' || code === 'IMAGE_MISMATCH')).toBe(true);
  });

  it('a duplicate JSON key, an unknown field, bytes that are not canonical, and a body of 17 MiB', async () => {
    const { bytes } = await pack();
    const text = Buffer.from(bytes).toString('utf8');
    const duplicate = await api.create(Buffer.from(text.replace('{"attestation"', '{"nonce":"1","attestation"').replace('"nonce":"1","attestation"', '"attestation":null,"attestation"')), key());
    expect([duplicate.status, errorOf(duplicate).code]).toEqual([400, 'JSON_DUPLICATE_KEY']);
    const unknown = await api.create(canonicalizeJson({ ...(JSON.parse(text) as object), surprise: 1 }), key());
    expect([unknown.status, codesOf(unknown)]).toEqual([422, ['SCHEMA_UNKNOWN_FIELD']]);
    const spaced = await api.create(Buffer.from(`${text} `), key());
    expect([spaced.status, errorOf(spaced).code]).toEqual([400, 'JSON_NOT_CANONICAL']);
    const large = await api.create(Buffer.alloc(17 * 1024 * 1024, 0x20), key());
    expect([large.status, errorOf(large).code]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('a missing or malformed Idempotency-Key, and no key at all', async () => {
    const { bytes } = await pack();
    const missing = await api.send('POST', '', { body: Buffer.from(bytes) });
    expect([missing.status, errorOf(missing).code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
    const short = await api.create(bytes, 'short');
    expect([short.status, errorOf(short).code]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID']);
    const anonymous = await api.send('POST', '', { body: Buffer.from(bytes), key: null, headers: { 'idempotency-key': key() } });
    expect([anonymous.status, errorOf(anonymous).code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

/** Creates, waits for the verdict, and replays: the same refusal again with the original status route. */
async function refusedAfterReservation(bytes: Uint8Array): Promise<{ resource: LaunchResource; replay: { status: number; code: string; statusUrl: string | null } }> {
  const idempotencyKey = key();
  const created = await api.create(bytes, idempotencyKey);
  if (created.status !== 202) throw new Error(`create answers ${created.status} ${JSON.stringify(created.body).slice(0, 1_500)}`);
  const { launchId } = created.body as LaunchResource;
  const resource = await api.until(launchId, isTerminal);
  const again = await api.create(bytes, idempotencyKey);
  return { resource, replay: { status: again.status, code: errorOf(again).code, statusUrl: errorOf(again).statusUrl } };
}

describe('refused after the reservation, by what admission found', () => {
  const cases: [string, string, string, (request: MutableRequest) => void][] = [
    [
      'a byte of source changed', 'CREATION_BYTECODE_MISMATCH', 'rejected',
      (r) => editStandardJson(r, (input) => {
        const path = Object.keys(input.sources).find((name) => name.endsWith('NativeFeeMath.sol'))!;
        input.sources[path]!.content = input.sources[path]!.content.replace('PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 21');
      }),
    ],
    ['a byte of creation code changed', 'CREATION_BYTECODE_MISMATCH', 'rejected', (r) => { component(r).creationBytecode = flipByte(component(r).creationBytecode, 700); relocate(r, vaultOf); }],
    ['a byte of declared runtime changed', 'RUNTIME_BYTECODE_MISMATCH', 'rejected', (r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40))],
    ['constructor arguments with another fee than the runtime carries', 'GRAPH_RUNTIME_NOT_MATERIALIZED', 'rejected', (r) => { component(r).constructorArgs = flipByte(component(r).constructorArgs, 32 * 2 + 31); relocate(r, vaultOf); }],
    ['hook bits that the address does not have', 'GRAPH_HOOK_PERMISSIONS_INVALID', 'rejected', (r) => { component(r).salt = flipByte(component(r).salt, 31); relocate(r, vaultOf); }],
    ['a salt without the controller', 'GRAPH_SALT_CONTROLLER_MISMATCH', 'rejected', (r) => { component(r).salt = `0x${'11'.repeat(20)}${component(r).salt.slice(42)}`; relocate(r, vaultOf); }],
    ['CREATE in the declared runtime', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'rejected', (r) => (component(r).expectedRuntimeCode = `0xf0${component(r).expectedRuntimeCode.slice(4)}`)],
    ['a 0xef prefix', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED', 'rejected', (r) => (component(r).expectedRuntimeCode = `0xef${component(r).expectedRuntimeCode.slice(4)}`)],
  ];
  it.each(cases)('%s', async (_what, code, disposition, mutate) => {
    const { resource, replay } = await refusedAfterReservation(await mutated(mutate));
    expect(resource.status).toBe('action_required');
    expect(resource.findings.map((finding) => finding.code)).toContain(code);
    expect(resource.sourceAssessment).toMatchObject({ disposition, productionAuthority: false });
    expect(resource.wallet).toBeNull();
    const own = code.startsWith('MULTI_ROLE_RUNTIME') ? code : 'MULTI_ROLE_EVIDENCE_REQUIRED';
    expect(replay).toEqual({ status: 422, code: own, statusUrl: resource.statusUrl });
  }, 120_000);
});
