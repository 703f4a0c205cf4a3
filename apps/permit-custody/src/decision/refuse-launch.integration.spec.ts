import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRefusal } from '@launch/contracts/multi-role';
import type { SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startCustodyFixture, type CustodyFixture } from '../fixtures/custody.fixture.js';
import {
  admissionKey,
  alteredRequest,
  CONTROLLER,
  NOW,
  packedRequest,
  parsedRequest,
  receiptBytes,
  refusalBytes,
  ROUTER,
  signatureOf,
} from '../fixtures/launch.fixture.js';

let fixture: CustodyFixture;
beforeAll(async () => {
  fixture = await startCustodyFixture();
  await packedRequest(1n);
});
afterAll(() => fixture?.end());

let lastNonce = 500n;
async function freshLaunch(): Promise<{ input: SignPermitInput; request: Uint8Array }> {
  const request = await packedRequest((lastNonce += 1n));
  return { input: await fixture.admitted(randomUUID(), request), request };
}
const codes = (result: SignPermitResult): string[] =>
  result.kind === 'refused' ? result.findings.map((entry) => entry.code) : [];
const decisions = (launchId: string) => fixture.rows('decision', launchId);

describe('A refusal that admission signed', () => {
  it('ends a launch, releases its nonce and is idempotent', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    const refusal = await fixture.refused(input, request);
    expect(await custody.refuseLaunch(refusal)).toEqual({ kind: 'refused' });
    expect(await custody.refuseLaunch(refusal)).toEqual({ kind: 'refused' });
    expect(codes(await custody.signPermit(input))).toEqual(['COMPILER_ERROR']);
    expect(await decisions(input.launchId)).toMatchObject([
      {
        kind: 'refusal',
        controller: CONTROLLER,
        nonce: parsedRequest(request).nonce,
        router: ROUTER,
        taken_nonce: null,
      },
    ]);
    expect((await custody.signPermit(await fixture.admitted(randomUUID(), request))).kind).toBe('signed');
  });

  it('comes too late for a committed digest', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    const signed = await custody.signPermit(input);
    const refusal = await fixture.refused(input, request);
    expect(await custody.refuseLaunch(refusal)).toEqual({
      kind: 'digest-exists',
      permitDigest: (signed as { permitDigest: string }).permitDigest,
    });
    await expect(
      custody.refuseLaunch({ ...refusal, requestSha256: `sha256:${'9'.repeat(64)}` as const }),
    ).rejects.toMatchObject({ code: 'LAUNCH_CONFLICT' });
  });

  it('leaves one decision when custody signs at the same time, and every caller receives the same answer', async () => {
    const processes = [await fixture.custody(), await fixture.custody()];
    for (let round = 0; round < 4; round += 1) {
      const { input, request } = await freshLaunch();
      const refusal = await fixture.refused(input, request);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const custody = processes[index % 2]!;
          return (index + round) % 4 < 2 ? custody.signPermit(input) : custody.refuseLaunch(refusal);
        }),
      );
      const kinds = new Set(answers.map((answer) => (answer.kind === 'digest-exists' ? 'signed' : answer.kind)));
      expect(kinds.size).toBe(1);
      const [decision] = await decisions(input.launchId);
      expect(decision!['kind']).toBe(kinds.has('signed') ? 'digest' : 'refusal');
      expect(await fixture.rows('permit_signature', input.launchId)).toHaveLength(kinds.has('signed') ? 1 : 0);
    }
  });

  it('is not needed for a launch that custody itself refused, whose reason is returned', async () => {
    const { input } = await freshLaunch();
    const late = await fixture.custody(NOW + 1_741);
    expect(await late.signPermit(input)).toMatchObject({ kind: 'refused', decided: true });
    const { launchId, requestSha256 } = input;
    expect(await late.refuseLaunch({ launchId, requestSha256, refusalSha256: null })).toEqual({ kind: 'refused' });
  });

  it('works for a request that this build cannot read completely', async () => {
    const request = alteredRequest(await packedRequest((lastNonce += 1n)), (changed) =>
      Object.assign(changed, { fieldOfALaterRelease: true }),
    );
    const requestSha256 = await fixture.blobs.put(request);
    const [custody, launchId] = [await fixture.custody(), randomUUID()];
    const judged = await custody.signPermit({ launchId, requestSha256, receiptSha256: requestSha256 });
    expect([judged.kind, 'decided' in judged, await decisions(launchId)]).toEqual(['refused', false, []]);
    expect(await custody.refuseLaunch(await fixture.refused({ launchId, requestSha256 }, request))).toEqual({
      kind: 'refused',
    });
  });
});

describe('A launch', () => {
  const other = `0x${'9'.repeat(40)}`;
  const wrong: readonly [string, (refusal: LaunchRefusal) => void][] = [
    [
      'of another launch',
      (refusal) => {
        refusal.launchId = randomUUID();
      },
    ],
    [
      'of other bytes',
      (refusal) => {
        refusal.requestSha256 = `sha256:${'9'.repeat(64)}` as const;
      },
    ],
    [
      'of another request',
      (refusal) => {
        refusal.requestHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'of another controller',
      (refusal) => {
        refusal.controller = other as Hex;
      },
    ],
    [
      'of another nonce',
      (refusal) => {
        refusal.nonce = '1';
      },
    ],
    [
      'of another router',
      (refusal) => {
        refusal.router = other as Hex;
      },
    ],
  ];
  it.each(wrong)('is not refused by a signed refusal %s', async (_name, change) => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    await expect(custody.refuseLaunch(await fixture.refused(input, request, change))).rejects.toMatchObject({
      code: 'REFUSAL_MISMATCH',
      retryable: false,
    });
    expect(await decisions(input.launchId)).toEqual([]);
    expect((await custody.signPermit(input)).kind).toBe('signed');
  });

  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const forged: readonly [
    string,
    (made: {
      readonly launchId: string;
      readonly request: Uint8Array;
      readonly requestSha256: Sha256Digest;
      readonly bytes: Uint8Array;
    }) => Uint8Array,
  ][] = [
    [
      'signed by another key',
      ({ launchId, request, requestSha256 }) => refusalBytes(admissionKey(), launchId, request, requestSha256),
    ],
    [
      'altered after it was signed',
      ({ bytes }) => new TextEncoder().encode(text(bytes).replace('COMPILER_ERROR', 'IMAGE_MISMATCH')),
    ],
    ['not signed', ({ bytes }) => canonicalizeJson({ ...(JSON.parse(text(bytes)) as object), signature: null })],
    ['not canonical', ({ bytes }) => new TextEncoder().encode(`${text(bytes)}\n`)],
    [
      'without a reason',
      ({ bytes }) => {
        const refusal = { ...(JSON.parse(text(bytes)) as { refusal: object }).refusal, codes: [] };
        return canonicalizeJson({ refusal, signature: signatureOf(fixture.key, refusal) });
      },
    ],
    [
      'an admission receipt, signed as one',
      ({ launchId, request, requestSha256 }) => receiptBytes(fixture.key, launchId, request, requestSha256),
    ],
    [
      'the signature of a receipt',
      ({ launchId, request, requestSha256, bytes }) => {
        const { signature } = JSON.parse(text(receiptBytes(fixture.key, launchId, request, requestSha256))) as {
          signature: string;
        };
        return canonicalizeJson({ ...(JSON.parse(text(bytes)) as object), signature });
      },
    ],
  ];
  it.each(forged)('is not refused by a refusal that is %s', async (_name, forge) => {
    const { input, request } = await freshLaunch();
    const { launchId, requestSha256 } = input;
    const refusalSha256 = await fixture.blobs.put(
      forge({ launchId, request, requestSha256, bytes: refusalBytes(fixture.key, launchId, request, requestSha256) }),
    );
    const custody = await fixture.custody();
    await expect(custody.refuseLaunch({ launchId, requestSha256, refusalSha256 })).rejects.toMatchObject({
      code: 'REFUSAL_UNVERIFIED',
      retryable: true,
    });
    expect(await decisions(launchId)).toEqual([]);
    expect((await custody.signPermit(input)).kind).toBe('signed');
  });

  it('is not refused while the refusal or the request is absent', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    const absent = `sha256:${'0'.repeat(64)}` as const;
    const refusal = await fixture.refused(input, request);
    await expect(custody.refuseLaunch({ ...refusal, refusalSha256: absent })).rejects.toMatchObject({
      code: 'BYTES_UNREADABLE',
      retryable: true,
    });
    const elsewhere = await fixture.refused({ ...input, requestSha256: absent }, request);
    await expect(custody.refuseLaunch(elsewhere)).rejects.toMatchObject({ code: 'BYTES_UNREADABLE', retryable: true });
  });

  it('is not refused without a signed refusal', async () => {
    const { input } = await freshLaunch();
    const custody = await fixture.custody();
    const { launchId, requestSha256 } = input;
    await expect(custody.refuseLaunch({ launchId, requestSha256, refusalSha256: null })).rejects.toMatchObject({
      code: 'REFUSAL_UNSIGNED',
      retryable: false,
    });
    expect(await decisions(launchId)).toEqual([]);
    expect((await custody.signPermit(input)).kind).toBe('signed');
  });
});
