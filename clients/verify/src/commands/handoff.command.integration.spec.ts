import { beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import {
  createRequestSchema,
  launchIntentHash,
  type CreateRequest,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import { encodeLaunchCalldata, type Hex, type LaunchCall, type LaunchInvocation, type LaunchPermit } from '@launch/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { AUTHORITY, packReferenceRequest } from '../fixtures/packed-request.fixture.js';
import { handoffOf, signedLaunch } from '../fixtures/signed-handoff.fixture.js';
import type { Verdict } from '../verdict.types.js';
import { verifyHandoff } from './handoff.command.js';

let bytes: Uint8Array;
let request: CreateRequest;
let launch: LaunchInvocation;
let wallet: WalletHandoff;

beforeAll(async () => {
  bytes = await packReferenceRequest();
  request = createRequestSchema.parse(parseStrictJson(bytes));
  launch = await signedLaunch(request, bytes);
  wallet = handoffOf(request, bytes, launch);
}, 180_000);

const failed = ({ checks }: Verdict): string[] =>
  (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
const verdictOn = (file: unknown, requestBytes = bytes): Verdict => verifyHandoff(requestBytes, canonicalizeJson(file));
const other = (text: string): string =>
  text.startsWith('0x') || text.startsWith('sha256:')
    ? `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
    : `${BigInt(text) + 1n}`;

/** Returns the wallet file with changed parts in its calldata. */
function withCalldata(
  change: (parts: { call: Mutable<LaunchCall>; permit: Mutable<LaunchPermit>; signature: Hex }) => void,
): WalletHandoff {
  const parts = structuredClone(launch) as never as {
    call: Mutable<LaunchCall>;
    permit: Mutable<LaunchPermit>;
    signature: Hex;
  };
  change(parts);
  return { ...wallet, walletTransaction: { ...wallet.walletTransaction, data: encodeLaunchCalldata(parts) } };
}
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

describe('The command handoff', () => {
  it('passes the wallet file of the request after every check', () => {
    const verdict = verdictOn(wallet);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      findings: [],
      details: { permitDigest: wallet.permitDigest, artifactHash: wallet.artifactHash },
    });
    expect(verdict.checks?.length).toBeGreaterThan(40);
    expect(verdict.checks?.find(({ check }) => check === 'signature.signer')?.actual).toBe(
      AUTHORITY.address.toLowerCase(),
    );
  });

  it.each<[keyof WalletHandoff, string[]]>([
    ['requestSha256', ['handoff.requestSha256']],
    ['requestHash', ['handoff.requestHash']],
    ['contextHash', ['handoff.contextHash']],
    ['artifactHash', ['handoff.artifactHash']],
    ['permitDigest', ['handoff.permitDigest']],
    ['validAfter', ['handoff.validAfter']],
    ['deadline', ['handoff.deadline']],
  ])('fails another %s', (field, checks) => {
    expect(failed(verdictOn({ ...wallet, [field]: other(wallet[field] as string) }))).toEqual(checks);
  });

  it.each<[keyof WalletHandoff['walletTransaction'], string[]]>([
    ['from', ['transaction.from']],
    ['to', ['transaction.to']],
    ['value', ['transaction.value']],
  ])('fails another %s', (field, checks) => {
    expect(
      failed(
        verdictOn({
          ...wallet,
          walletTransaction: { ...wallet.walletTransaction, [field]: other(wallet.walletTransaction[field]) },
        }),
      ),
    ).toEqual(checks);
  });

  it('fails another chain', () => {
    expect(verdictOn({ ...wallet, walletTransaction: { ...wallet.walletTransaction, chainId: '1' } })).toMatchObject({
      verdict: 'fail',
      findings: [{ path: '/wallet/walletTransaction/chainId' }],
    });
  });

  it.each<keyof LaunchPermit>([
    'controller',
    'requestHash',
    'contextHash',
    'economicsHash',
    'instructionPolicyHash',
    'graphHash',
    'poolHash',
    'callHash',
  ])('fails a permit with another %s', (field) => {
    expect(
      failed(
        verdictOn(withCalldata(({ permit }) => Object.assign(permit, { [field]: other(permit[field] as string) }))),
      ),
    ).toEqual([`permit.${field}`, 'calldata.bytes']);
  });

  it.each<keyof LaunchPermit>(['value', 'nonce', 'validAfter', 'deadline'])(
    'fails a permit with another %s',
    (field) => {
      expect(
        failed(
          verdictOn(withCalldata(({ permit }) => Object.assign(permit, { [field]: (permit[field] as bigint) + 1n }))),
        ),
      ).toEqual([`permit.${field}`, 'calldata.bytes']);
    },
  );

  it.each<[string, (call: Mutable<LaunchCall>) => void, string[]]>([
    ['role', (c) => void (c.components[0]!.roleMask = 1), ['call.graphHash', 'call.callHash', 'call.components']],
    [
      'salt',
      (c) => void (c.components[0]!.salt = other(c.components[0]!.salt) as Hex),
      ['call.graphHash', 'call.callHash', 'call.components'],
    ],
    [
      'byte of creation code',
      (c) => void (c.components[0]!.initCode = other(c.components[0]!.initCode) as Hex),
      ['call.graphHash', 'call.callHash', 'call.components'],
    ],
    [
      'runtime hash',
      (c) => void (c.components[0]!.runtimeCodeHash = other(c.components[0]!.runtimeCodeHash) as Hex),
      ['call.graphHash', 'call.callHash', 'call.components'],
    ],
    [
      'child',
      (c) => void (c.children[0]!.account = other(c.children[0]!.account) as Hex),
      ['call.graphHash', 'call.callHash', 'call.children'],
    ],
    ['missing child', (c) => void c.children.pop(), ['call.graphHash', 'call.callHash', 'call.children']],
    [
      'external',
      (c) =>
        void c.externals.push({ roleMask: 0, account: `0x${'7'.repeat(40)}`, runtimeCodeHash: `0x${'7'.repeat(64)}` }),
      ['call.graphHash', 'call.callHash', 'call.externals'],
    ],
    [
      'currency',
      (c) => void (c.poolKey.currency1 = other(c.poolKey.currency1) as Hex),
      ['call.poolHash', 'call.callHash', 'call.poolKey'],
    ],
    ['pool fee', (c) => void (c.poolKey.fee = 1), ['call.poolHash', 'call.callHash', 'call.poolKey']],
    ['tick spacing', (c) => void (c.poolKey.tickSpacing += 1), ['call.poolHash', 'call.callHash', 'call.poolKey']],
    [
      'hook',
      (c) => void (c.poolKey.hooks = other(c.poolKey.hooks) as Hex),
      ['call.poolHash', 'call.callHash', 'call.poolKey'],
    ],
    ['price', (c) => void (c.sqrtPriceX96 += 1n), ['call.poolHash', 'call.callHash', 'call.sqrtPriceX96']],
    ['liquidity', (c) => void (c.liquidity += 1n), ['call.callHash', 'call.liquidity']],
    ['native liquidity', (c) => void (c.nativeLiquidityWei += 1n), ['call.callHash', 'call.nativeLiquidityWei']],
    ['buy', (c) => void (c.initialBuyWei += 1n), ['call.callHash', 'call.initialBuyWei']],
    ['minimum', (c) => void (c.minimumTokensOut -= 1n), ['call.callHash', 'call.minimumTokensOut']],
  ])('fails a call with another %s', (_title, change, checks) => {
    expect(failed(verdictOn(withCalldata(({ call }) => change(call))))).toEqual([...checks, 'calldata.bytes']);
  });

  it("fails a stranger's signature, one over other bytes and a malformed one", async () => {
    const stranger = privateKeyToAccount(`0x${'77'.repeat(32)}`);
    const foreign = await stranger.signMessage({ message: 'anything' });
    expect(failed(verdictOn(withCalldata((parts) => void (parts.signature = foreign))))).toEqual(['signature.signer']);
    const reused = await signedLaunch({ ...request, nonce: '7' }, bytes);
    expect(failed(verdictOn(withCalldata((parts) => void (parts.signature = reused.signature))))).toEqual([
      'signature.signer',
    ]);
    expect(
      failed(verdictOn(withCalldata((parts) => void (parts.signature = `${parts.signature.slice(0, -2)}00` as Hex)))),
    ).toEqual(['signature.form']);
    expect(
      failed(verdictOn(withCalldata((parts) => void (parts.signature = parts.signature.slice(0, -2) as Hex)))),
    ).toEqual(['signature.form']);
  });

  it.each<[string, (data: Hex) => string]>([
    ['a byte behind it', (data) => `${data}00`],
    ['another selector', (data) => `0x00000000${data.slice(10)}`],
    ['half of it', (data) => data.slice(0, 2 + 2 * Math.floor(data.length / 8))],
    ['nothing', () => '0x'],
  ])('fails calldata with %s', (_title, change) => {
    const data = change(wallet.walletTransaction.data as Hex);
    expect(failed(verdictOn({ ...wallet, walletTransaction: { ...wallet.walletTransaction, data } }))).toContain(
      'calldata.canonical',
    );
  });

  it.each<[string, (changed: CreateRequest) => void, string]>([
    ['nonce', (r) => void (r.nonce = '2'), 'permit.nonce'],
    ['wallet', (r) => void (r.launchWallet = `0x${'9'.repeat(40)}`), 'transaction.from'],
    ['deadline', (r) => void (r.permitWindow.deadline = '1767229201'), 'permit.deadline'],
    ['description', (r) => void (r.projectMetadata.description = 'Another.'), 'permit.requestHash'],
    ['minimum', (r) => void (r.fundingPlan.minimumTokensOut = '2'), 'call.minimumTokensOut'],
    ['commitment', (r) => void (r.contextCommitments.profileHash = `0x${'9'.repeat(64)}`), 'request.profileHash'],
    ['router', (r) => void (r.context.chainBindings.router = `0x${'9'.repeat(40)}`), 'request.router'],
    [
      'authority',
      (r) => void (r.context.chainBindings.permitAuthorities = [`0x${'9'.repeat(40)}`]),
      'signature.signer',
    ],
  ])('fails the wallet file of a request with another %s', (_title, alter, check) => {
    const changed = structuredClone(request);
    alter(changed);
    if (check !== 'request.profileHash') changed.contextCommitments = commitContext(changed.context);
    changed.launchIntentHash = launchIntentHash(changed);
    expect(failed(verdictOn(wallet, canonicalizeJson(changed)))).toContain(check);
  });

  it('names the values that the request does not determine, and reports them as unchecked', () => {
    const moved = {
      ...wallet,
      createdAt: '2026-01-02T00:00:01.000Z',
      simulation: { ...wallet.simulation, gasUsed: '2' },
    };
    expect(verdictOn(moved)).toMatchObject({
      verdict: 'pass',
      notChecked: expect.arrayContaining([expect.stringContaining('createdAt and simulation')]),
    });
  });

  it.each<[string, () => Verdict, string, string]>([
    ['a file with an unknown field', () => verdictOn({ ...wallet, extra: 1 }), 'SCHEMA_UNKNOWN_FIELD', '/wallet/extra'],
    [
      'a formatted file',
      () => verifyHandoff(bytes, Buffer.from(JSON.stringify(wallet, null, 1))),
      'JSON_NOT_CANONICAL',
      '/wallet',
    ],
    [
      'a request with a byte behind it',
      () => verdictOn(wallet, Buffer.concat([bytes, Buffer.from('\n')])),
      'JSON_NOT_CANONICAL',
      '/request',
    ],
    [
      'files of the wrong order',
      () => verifyHandoff(canonicalizeJson(wallet), bytes),
      'SCHEMA_INVALID',
      '/request/schemaVersion',
    ],
    ['a file that is too large', () => verifyHandoff(bytes, null), 'REQUEST_TOO_LARGE', '/wallet'],
  ])('fails %s', (_title, run, code, path) => {
    expect(run()).toMatchObject({
      verdict: 'fail',
      findings: expect.arrayContaining([expect.objectContaining({ code, path })]),
    });
  });
});
