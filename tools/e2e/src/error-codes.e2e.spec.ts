import type { ErrorCode } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  launchIntentHash,
  type LaunchResource,
  MULTI_ROLE_BASE_PATH,
  type PreflightResult,
} from '@launch/contracts/multi-role';
import type { PlanErrors } from '@launch/contracts/plans';
import { canonicalKeccak, type Hex } from '@launch/contracts/primitives';
import type { ErrorBody } from '@launch/contracts/validation';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { privateKeyToAccount } from 'viem/accounts';
import { addAuxiliary, endAlterations } from './altered-project.js';
import { noteCodes } from './code-ledger.js';
import { freshKey, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import { inDatabase } from './fixtures/stack-databases.fixture.js';
import { codesOf, errorOf, isTerminal, type Answer, type LaunchApi } from './launch-api.js';
import { editStandardJson, type MutableRequest } from './request-mutation.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

/**
 * Provokes the codes that no other end-to-end test receives. With it, the running product answers every code of the catalogue:
 * the target `error-codes` of `npm run test:full` checks that.
 */
const STARTS_WITHIN_MS = 300_000;
const TAKES_MS = 240_000;
const SCOPES = ['custom-launch:create', 'custom-launch:read'];

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

describe('a request that is refused before its body is read', () => {
  it.each<[ErrorCode, number, string, string, { body?: string; headers?: Record<string, string>; key?: null }]>([
    ['NOT_FOUND', 404, 'GET', 'nowhere/at/all', {}],
    ['METHOD_NOT_ALLOWED', 405, 'DELETE', 'preflight', {}],
    ['QUERY_NOT_ALLOWED', 400, 'GET', 'capabilities?x=1', { key: null }],
    ['CHAIN_NOT_SUPPORTED', 422, 'GET', '/v4/chains/1/custom-launch-capabilities', { key: null }],
    [
      'RESPONSE_VERSION_UNKNOWN',
      422,
      'GET',
      '/v4/chains/4663/custom-launch-credentials/me',
      { headers: { 'service-launch-response-version': '2.0' } },
    ],
    ['TARGET_TOO_LONG', 414, 'GET', `capabilities?${'x'.repeat(20_000)}`, { key: null }],
    ['QUERY_INVALID', 400, 'GET', `${MULTI_ROLE_BASE_PATH}?limit=26`, {}],
    ['CURSOR_INVALID', 400, 'GET', `${MULTI_ROLE_BASE_PATH}?cursor=of-my-own`, {}],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'POST', 'preflight', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  ])('gets %s', async (code, status, method, path, options) => {
    expect(statusAndCode(await api.send(method, path, options))).toEqual([status, code]);
  });

  it('gets CHAIN_NOT_ALLOWED for a key without a granted chain', async () => {
    const key = await stack.issueKey({ scopes: SCOPES });
    // The operator's command always grants chain 4663, and the database keeps the grants of a key, so the row is created anew.
    const [{ row }] = (await inDatabase<{ row: string }>(
      stack,
      'launch_gateway',
      'DELETE FROM credential WHERE credential_id = $1 RETURNING row_to_json(credential)::text AS row',
      [key.split('_')[1]],
    )) as [{ row: string }];
    await inDatabase(
      stack,
      'launch_gateway',
      `INSERT INTO credential SELECT * FROM json_populate_record(NULL::credential, ($1::jsonb || '{"chains":[]}')::json)`,
      [row],
    );
    expect(statusAndCode(await api.send('GET', '', { key }))).toEqual([403, 'CHAIN_NOT_ALLOWED']);
  });

  const CREATE = `POST ${MULTI_ROLE_BASE_PATH} HTTP/1.1`;
  it.each<[ErrorCode, number, string, string]>([
    ['HEADER_INVALID', 400, CREATE, 'content-length: many'],
    ['REQUEST_TIMEOUT', 408, CREATE, 'content-length: 100'],
    ['BODY_NOT_ALLOWED', 400, 'GET /v4/chains/4663/readiness HTTP/1.1', 'connection: close\r\ncontent-length: 1'],
  ])(
    'gets %s on the connection',
    async (code, status, line, length) => {
      const { hostname, port } = new URL(stack.gateway);
      const key = await stack.issueKey({ scopes: SCOPES });
      const head = [
        line,
        'host: x',
        `authorization: Bearer ${key}`,
        'content-type: application/json',
        `idempotency-key: ${freshKey()}`,
        length,
      ];
      const text = await new Promise<string>((resolve, reject) => {
        let heard = '';
        const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n{`));
        socket
          .on('data', (data) => (heard += data.toString()))
          .once('close', () => resolve(heard))
          .once('error', reject);
      });
      expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      const body = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as ErrorBody;
      expect(body.error.code).toBe(code);
      noteCodes(body);
    },
    TAKES_MS,
  );
});

describe('a request with wrong bytes or a wrong form', () => {
  it.each<[ErrorCode, number, Buffer<ArrayBuffer>]>([
    ['JSON_INVALID_UTF8', 400, Buffer.from([0x22, 0xff, 0x22])],
    ['JSON_DEPTH_EXCEEDED', 400, Buffer.from(`${'['.repeat(65)}${']'.repeat(65)}`)],
    ['JSON_VALUES_EXCEEDED', 400, Buffer.from(`[${'1,'.repeat(262_143)}1]`)],
    ['JSON_TRAILING_DATA', 400, Buffer.from('{}{}')],
    ['JSON_NUMBER_RANGE', 400, Buffer.from('[1e999]')],
    ['SCHEMA_INVALID', 422, Buffer.from('{}')],
  ])('gets %s', async (code, status, bytes) => {
    const answer = await api.preflight(bytes);
    expect([answer.status, codesOf(answer)]).toEqual([status, expect.arrayContaining([code])]);
  });

  it.each<[ErrorCode, (request: MutableRequest) => unknown]>([
    ['LAUNCH_INTENT_HASH_MISMATCH', (r) => (r.launchIntentHash = ZEROS as Hex)],
    [
      'BEHAVIOR_INPUTS_HASH_MISMATCH',
      (r) => {
        r.behaviorScenarioInputs = { swaps: 1 };
        r.behaviorScenarioInputsHash = canonicalKeccak({ swaps: 2 });
      },
    ],
  ])('gets %s', async (code, change) => {
    const request = parseStrictJson(await desk.request()) as unknown as MutableRequest;
    change(request);
    if (code !== 'LAUNCH_INTENT_HASH_MISMATCH') request.launchIntentHash = launchIntentHash(request);
    const answer = await api.preflight(canonicalizeJson(request));
    expect([answer.status, codesOf(answer)]).toEqual([422, [code]]);
  });
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
    'gets %s',
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

describe('a sign-in', () => {
  const wallet = privateKeyToAccount(`0x${'5e'.repeat(32)}`);
  const invite = async (): Promise<string> => {
    const { body } = (await api.send('POST', '/v4/auth/siwe/nonce', { key: null })) as Answer<Record<string, string>>;
    const { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime } = body;
    return `${domain} wants you to sign in with your Ethereum account:\n${wallet.address}\n\n${statement}\n\nURI: ${uri}\nVersion: ${version}\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: ${issuedAt}\nExpiration Time: ${expirationTime}`;
  };
  const keys = (message: string, signature: string): Promise<Answer> =>
    api.send('POST', '/v4/auth/siwe/keys', { key: null, body: Buffer.from(canonicalizeJson({ message, signature })) });
  const signed = async (message: string): Promise<Answer> => keys(message, await wallet.signMessage({ message }));

  it(
    'gets each SIGN_IN_… code, and RATE_LIMITED at last',
    async () => {
      const message = await invite();
      expect(statusAndCode(await signed('hello'))).toEqual([422, 'SIGN_IN_MESSAGE_INVALID']);
      expect(statusAndCode(await signed(message.replace(/Nonce: \w+/, `Nonce: ${'a'.repeat(32)}`)))).toEqual([
        401,
        'SIGN_IN_NONCE_INVALID',
      ]);
      expect(statusAndCode(await keys(message, await wallet.signMessage({ message: 'another' })))).toEqual([
        401,
        'SIGN_IN_SIGNATURE_INVALID',
      ]);
      const issued = (await signed(message)) as Answer<{ credentialId: string }>;
      expect(issued.status).toBe(201);
      await stack.admin('keys', 'revoke', '--credential', issued.body.credentialId, '--json');
      expect(statusAndCode(await signed(await invite()))).toEqual([403, 'SIGN_IN_REVOKED']);
      await stack.admin('wallets', 'unblock', wallet.address, '--json');
      expect((await signed(await invite())).status).toBe(201);
      let last: Answer = issued;
      for (let tries = 0; tries < 20 && last.status !== 429; tries += 1) last = await signed('hello');
      expect(statusAndCode(last)).toEqual([429, 'RATE_LIMITED']);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
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
