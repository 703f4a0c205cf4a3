import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import type { CreateRequest, LaunchContext } from '@launch/contracts/multi-role';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import { launchPermitOf, type Hex } from '@launch/evm';
import { testSeed } from '@launch/testing';
import fc from 'fast-check';
import { hexToBytes } from 'viem/utils';
import { pinContexts } from '../pinned-contexts.js';
import {
  alteredRequest,
  AUTHORITY,
  CONTROLLER,
  filed,
  fixtureContext,
  NOW,
  packedRequest,
  parsedRequest,
  underContext,
} from '../fixtures/launch.fixture.js';
import { forgedValue, placesIn } from '../fixtures/forgery.fixture.js';
import { judgeRequest } from './judge-request.js';

const pinned = pinContexts(canonicalJsonText(fixtureContext()), [], AUTHORITY);
let bytes: Uint8Array;
beforeAll(async () => {
  bytes = await packedRequest(7n);
});

const codesOf = (given: Uint8Array, now = NOW): ErrorCode[] => {
  const judged = judgeRequest(given, pinned, now);
  return judged.kind === 'acceptable' ? [] : judged.findings.map((entry) => entry.code);
};

describe('Custody’s own judgement', () => {
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
  ])('judges a window with %i seconds left', (left, codes) => {
    expect(codesOf(bytes, NOW + 1_800 - left)).toEqual(codes);
  });

  const component = (request: CreateRequest) => request.graphBundle.components[0]!;
  const setRuntime = (request: CreateRequest, runtime: string): void => {
    component(request).expectedRuntimeCode = runtime as Hex;
    component(request).expectedRuntimeCodeHash = keccak256Hex(hexToBytes(runtime as Hex));
  };
  const altered: readonly [string, (request: CreateRequest) => void, ErrorCode][] = [
    [
      'a context of another release',
      (request) => {
        request.context = fixtureContext('another');
        request.contextCommitments = commitContext(request.context);
      },
      'CONTEXT_NOT_CURRENT',
    ],
    [
      'a context with another router',
      (request) => {
        request.context.chainDeployment.router.address = `0x${'9'.repeat(40)}`;
        request.contextCommitments = commitContext(request.context);
      },
      'CONTEXT_NOT_CURRENT',
    ],
    [
      'a false commitment',
      (request) => {
        request.contextCommitments.profileHash = `0x${'9'.repeat(64)}`;
      },
      'CONTEXT_COMMITMENT_MISMATCH',
    ],
    [
      'a window that is too long',
      (request) => {
        request.permitWindow.validAfter = String(NOW - 3_000);
      },
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
    ],
    [
      'sums that do not add up',
      (request) => {
        request.funding.totalValueWei = '1';
      },
      'FUNDING_TOTAL_MISMATCH',
    ],
    [
      'another bundle digest',
      (request) => {
        request.source.bundleSha256 = `sha256:${'9'.repeat(64)}`;
      },
      'SOURCE_BUNDLE_HASH_MISMATCH',
    ],
    [
      'another controller',
      (request) => {
        request.launchWallet = `0x${'9'.repeat(40)}`;
      },
      'GRAPH_SALT_CONTROLLER_MISMATCH',
    ],
    [
      'another predicted address',
      (request) => {
        component(request).predictedAddress = `0x${'9'.repeat(40)}`;
      },
      'GRAPH_ADDRESS_MISMATCH',
    ],
    [
      'a pool with a fee',
      (request) => {
        request.graphBundle.officialPool.poolKey.fee = 3_000;
      },
      'GRAPH_POOL_INVALID',
    ],
    [
      'another price',
      (request) => {
        request.graphBundle.officialPool.sqrtPriceX96 = '79228162514264337593543950336';
      },
      'MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION',
    ],
    [
      'another child runtime',
      (request) => {
        request.graphBundle.children[0]!.runtimeCodeHash = `0x${'9'.repeat(64)}`;
      },
      'MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION',
    ],
    [
      'a child without a creator',
      (request) => {
        request.graphBundle.children[0]!.account = `0x${'9'.repeat(40)}`;
      },
      'GRAPH_CHILD_INVALID',
    ],
    [
      'a runtime with a forbidden instruction',
      (request) => setRuntime(request, `${component(request).expectedRuntimeCode}ff`),
      'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
    ],
    [
      'a runtime of an unknown recipe',
      (request) => setRuntime(request, `${component(request).expectedRuntimeCode}00`),
      'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED',
    ],
    [
      'other creation code',
      (request) => {
        component(request).creationBytecode = `${component(request).creationBytecode}00`;
      },
      'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED',
    ],
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
    ['a missing half', (text: string) => text.slice(0, text.length / 2)],
  ])('reads no request from bytes with %s', (_name, spoil) => {
    const spoiled = new TextEncoder().encode(spoil(new TextDecoder().decode(bytes)));
    expect(judgeRequest(spoiled, pinned, NOW)).toMatchObject({
      kind: 'unacceptable',
      request: null,
      findings: [{ code: 'PERMIT_REFUSED' }],
    });
  });

  it('refuses an object with unknown members', () => {
    expect(codesOf(alteredRequest(bytes, (request) => Object.assign(request, { extra: 1 })))).toEqual([
      'SCHEMA_UNKNOWN_FIELD',
    ]);
  });
});

describe('A request with any fields forged', () => {
  it('is judged without a failure, and is accepted only with every bound value unchanged', () => {
    const honest = parsedRequest(bytes);
    const hashes = { requestHash: `0x${'0'.repeat(64)}` as const, economicsHash: `0x${'0'.repeat(64)}` as const };
    const seed = testSeed('forged requests');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }), (forgeries) => {
        const altered = alteredRequest(bytes, (request) => {
          for (const [place, choice] of forgeries) {
            const places = placesIn(request);
            const [holder, name] = places[place % places.length] as [Record<string, unknown>, string];
            holder[name] = forgedValue(holder[name], choice);
          }
        });
        const judged = judgeRequest(altered, pinned, NOW);
        if (judged.kind === 'unacceptable') {
          expect(judged.findings).not.toEqual([]);
          return;
        }
        // An accepted forgery changes only values that its launcher may choose or that the chain determines for
        // admission, and the permit contains them.
        const {
          nonce,
          permitWindow,
          externalContracts,
          fundingPlan: { minimumTokensOut },
        } = judged.request;
        const chosen = {
          ...honest,
          nonce,
          permitWindow,
          externalContracts,
          fundingPlan: { ...honest.fundingPlan, minimumTokensOut },
        };
        expect(launchPermitOf(judged.request, hashes)).toEqual(launchPermitOf(chosen, hashes));
      }),
      { seed, numRuns: 40 },
    );
  });
});

describe('A request of a previous context', () => {
  const current = canonicalJsonText(fixtureContext('release-b'));
  const judged = (previous: LaunchContext, now = NOW, listed = [filed(previous)]) =>
    judgeRequest(underContext(bytes, previous), pinContexts(current, listed, AUTHORITY), now);
  const changed = (change: (context: LaunchContext) => void): LaunchContext => {
    const context = fixtureContext('release-a');
    change(context);
    return context;
  };
  const refusal = (code: ErrorCode) => ({
    kind: 'unacceptable',
    findings: expect.arrayContaining([expect.objectContaining({ code })]),
  });

  it('is accepted, unless the operator does not list its context', () => {
    const previous = fixtureContext('release-a');
    expect(judged(previous)).toMatchObject({ kind: 'acceptable', contextHash: canonicalKeccak(previous) });
    const expected = canonicalKeccak(fixtureContext('release-b'));
    expect(judged(previous, NOW, [])).toMatchObject({
      findings: [{ code: 'CONTEXT_NOT_CURRENT', expected, actual: canonicalKeccak(previous) }],
    });
  });

  it.each([
    [60, 'acceptable'],
    [59, 'unacceptable'],
  ])('is accepted while its window is open, with %i seconds left', (left, kind) => {
    expect(judged(fixtureContext('release-a'), NOW + 1_800 - left).kind).toBe(kind);
  });

  it('is judged by the limits of its own context', () => {
    const narrow = changed(({ profile }) => {
      profile.limits.transactionBytes = 1_000;
    });
    expect(judged(narrow)).toMatchObject(refusal('GRAPH_CALLDATA_TOO_LARGE'));
  });

  it('is never judged by templates that its context did not publish', () => {
    const other = changed(({ profile }) => {
      profile.recipes[0]!.templateSetHash = `0x${'9'.repeat(64)}`;
    });
    expect(judged(other)).toMatchObject(refusal('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'));
    expect(judged(other)).toMatchObject({
      findings: [{ remediation: { detail: expect.stringContaining('under the current context') } }],
    });
  });

  it('is never judged by a compiler that its context does not name', () => {
    const older = changed(({ profile }) => {
      profile.compilerVersions = ['0.8.20'];
    });
    expect(judged(older)).toMatchObject(refusal('COMPILER_VERSION_UNSUPPORTED'));
  });
});
