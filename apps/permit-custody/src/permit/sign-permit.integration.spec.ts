import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalizeJson } from '@launch/contracts/json';
import type { SourceReceipt } from '@launch/contracts/multi-role';
import type { SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import { permitDigest, permitFromWire, recoverPermitSigner, type Hex } from '@launch/evm';
import { createLocalKeySigner, type PermitSigner } from '@launch/signer';
import { keccak256 } from 'viem/utils';
import { startCustodyFixture, sha256, type CustodyFixture, type Releases } from '../fixtures/custody.fixture.js';
import {
  admissionKey,
  alteredRequest,
  AUTHORITY,
  CONTROLLER,
  fixtureContext,
  NOW,
  packedRequest,
  parsedRequest,
  receiptBytes,
  refusalBytes,
  ROUTER,
  underContext,
} from '../fixtures/launch.fixture.js';

let fixture: CustodyFixture;
beforeAll(async () => {
  fixture = await startCustodyFixture();
  await packedRequest(1n);
});
afterAll(() => fixture?.end());

let lastNonce = 100n;
const freshNonce = (): bigint => (lastNonce += 1n);
async function freshLaunch(
  change?: (receipt: SourceReceipt) => void,
): Promise<{ input: SignPermitInput; request: Uint8Array; nonce: bigint }> {
  const nonce = freshNonce();
  const request = await packedRequest(nonce);
  return { input: await fixture.admitted(randomUUID(), request, change), request, nonce };
}
const signed = (result: SignPermitResult): Extract<SignPermitResult, { kind: 'signed' }> => {
  if (result.kind !== 'signed') throw new Error(JSON.stringify(result));
  return result;
};
const codes = (result: SignPermitResult): string[] =>
  result.kind === 'refused' ? result.findings.map((entry) => entry.code) : [];

describe('Signing', () => {
  it('gives the permit of the request, signed by the authority for the pinned router, and always the same one', async () => {
    const { input, request, nonce } = await freshLaunch();
    const first = signed(await (await fixture.custody()).signPermit(input));
    expect(first.permit).toMatchObject({
      controller: CONTROLLER,
      nonce: nonce.toString(),
      requestHash: keccak256Hex(request),
      value: parsedRequest(request).funding.totalValueWei,
    });
    expect(first.permitDigest).toBe(permitDigest({ chainId: 4663n, router: ROUTER }, permitFromWire(first.permit)));
    expect(recoverPermitSigner(first.permitDigest as Hex, first.signature)).toBe(AUTHORITY);
    // Even long after the window, custody returns its decision without judging or signing again.
    expect(await (await fixture.custody(NOW + 86_400)).signPermit(input)).toEqual(first);
    expect(await fixture.rows('decision', input.launchId)).toMatchObject([
      { kind: 'digest', permit_digest: first.permitDigest },
    ]);
    expect(await fixture.rows('permit_signature', input.launchId)).toMatchObject([
      { signature: first.signature, signer: AUTHORITY },
    ]);
  });

  it('of one launch by 64 callers in two processes makes one digest and one signature', async () => {
    const { input } = await freshLaunch();
    const processes = [await fixture.custody(), await fixture.custody()];
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, index) => processes[index % 2]!.signPermit(input)),
    );
    expect(new Set(results.map((result) => signed(result).signature)).size).toBe(1);
    expect(await fixture.rows('decision', input.launchId)).toHaveLength(1);
    expect(await fixture.rows('permit_signature', input.launchId)).toHaveLength(1);
  });

  it('of 8 launches with one nonce signs exactly one and refuses the others permanently', async () => {
    const nonce = freshNonce();
    const base = await packedRequest(nonce);
    const inputs = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fixture.admitted(
          randomUUID(),
          alteredRequest(base, (request) => {
            request.permitWindow.deadline = String(NOW + 1_000 + index);
          }),
        ),
      ),
    );
    const custody = await fixture.custody();
    const results = await Promise.all(inputs.map((input) => custody.signPermit(input)));
    expect(results.filter((result) => result.kind === 'signed')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'refused').map(codes)).toEqual(
      Array.from({ length: 7 }, () => ['NONCE_IN_USE']),
    );
    expect(await Promise.all(inputs.map((input) => custody.signPermit(input)))).toEqual(results);
  });

  it('of the same bytes under two launches signs only the first', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    signed(await custody.signPermit(input));
    expect(codes(await custody.signPermit(await fixture.admitted(randomUUID(), request)))).toEqual(['PERMIT_REFUSED']);
  });

  it('never answers a launch with the permit of other bytes', async () => {
    const { input } = await freshLaunch();
    const other = await fixture.blobs.put(await packedRequest(freshNonce()));
    const custody = await fixture.custody();
    signed(await custody.signPermit(input));
    await expect(custody.signPermit({ ...input, requestSha256: other })).rejects.toMatchObject({
      code: 'LAUNCH_CONFLICT',
      retryable: false,
    });
  });

  it('continues from a committed digest, and signs no other, after the signer failed in between', async () => {
    const { input } = await freshLaunch();
    const good = await createLocalKeySigner(fixture.keyFile);
    const asked: Hex[] = [];
    const failing: PermitSigner = {
      address: good.address,
      check: async () => undefined,
      signPermit: async (encoding) => {
        asked.push(keccak256(encoding));
        throw new Error('the signer is away');
      },
    };
    await expect((await fixture.custody(NOW, failing)).signPermit(input)).rejects.toThrow('the signer is away');
    expect(await fixture.rows('permit_signature', input.launchId)).toEqual([]);
    // The window has passed by now: the digest was committed in time, and it stays the only one.
    const result = signed(await (await fixture.custody(NOW + 7_200)).signPermit(input));
    expect(asked).toEqual([result.permitDigest]);
  });
});

describe('A launch that admission did not admit', () => {
  const receipts: readonly [string, (receipt: SourceReceipt) => void][] = [
    [
      'of a preflight',
      (receipt) => {
        receipt.kind = 'preflight';
      },
    ],
    [
      'of another launch',
      (receipt) => {
        receipt.launchId = randomUUID();
      },
    ],
    [
      'without a launch',
      (receipt) => {
        receipt.launchId = null;
      },
    ],
    [
      'of other bytes',
      (receipt) => {
        receipt.requestSha256 = `sha256:${'9'.repeat(64)}` as const;
      },
    ],
    [
      'of another request',
      (receipt) => {
        receipt.requestHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'of another context',
      (receipt) => {
        receipt.contextHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'of another policy',
      (receipt) => {
        receipt.instructionPolicyHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'of another artifact',
      (receipt) => {
        receipt.artifactHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'of other economics',
      (receipt) => {
        receipt.economicsHash = `0x${'9'.repeat(64)}`;
      },
    ],
    [
      'without economics',
      (receipt) => {
        receipt.economicsHash = null;
      },
    ],
    [
      'that asks for evidence',
      (receipt) => {
        receipt.disposition = 'evidence_required';
      },
    ],
    [
      'with findings',
      (receipt) => {
        receipt.findingCodes = ['COMPILER_ERROR'];
      },
    ],
  ];
  it.each(receipts)('is refused permanently for a signed receipt %s', async (_name, change) => {
    const { input, request } = await freshLaunch(change);
    const custody = await fixture.custody();
    expect(new Set(codes(await custody.signPermit(input)))).toEqual(new Set(['PERMIT_REFUSED']));
    // A correct receipt that arrives later changes nothing.
    const right = await fixture.admitted(input.launchId, request);
    expect(new Set(codes(await custody.signPermit(right)))).toEqual(new Set(['PERMIT_REFUSED']));
    expect(await fixture.rows('decision', input.launchId)).toMatchObject([
      { kind: 'refusal', permit_digest: null, taken_nonce: null },
    ]);
  });

  const forged: readonly [string, (bytes: Uint8Array) => Uint8Array][] = [
    [
      'signed by another key',
      (bytes) => {
        const { receipt } = JSON.parse(new TextDecoder().decode(bytes)) as { receipt: SourceReceipt };
        return receiptBytes(admissionKey(), receipt.launchId ?? '', lastRequest, receipt.requestSha256);
      },
    ],
    [
      'altered after it was signed',
      (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes).replace('2026-01-01', '2026-01-02')),
    ],
    [
      'not signed',
      (bytes) => canonicalizeJson({ ...(JSON.parse(new TextDecoder().decode(bytes)) as object), signature: null }),
    ],
    ['not canonical', (bytes) => new TextEncoder().encode(`${new TextDecoder().decode(bytes)}\n`)],
    ['no receipt', () => new TextEncoder().encode('{}')],
    ['a refusal, signed as one', () => refusalBytes(fixture.key, randomUUID(), lastRequest, sha256(lastRequest))],
  ];
  let lastRequest: Uint8Array;
  it.each(forged)('is not decided by a receipt that is %s', async (_name, forge) => {
    const { input, request } = await freshLaunch();
    lastRequest = request;
    const receiptSha256 = await fixture.blobs.put(
      forge(await fixture.blobs.get(input.receiptSha256 as `sha256:${string}`)),
    );
    const custody = await fixture.custody();
    await expect(custody.signPermit({ ...input, receiptSha256 })).rejects.toMatchObject({
      code: 'RECEIPT_UNVERIFIED',
      retryable: true,
    });
    expect(await fixture.rows('decision', input.launchId)).toEqual([]);
    signed(await custody.signPermit(input));
  });

  it('is refused when its window is nearly over', async () => {
    const { input } = await freshLaunch();
    expect(codes(await (await fixture.custody(NOW + 1_741)).signPermit(input))).toEqual([
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
    ]);
    expect(codes(await (await fixture.custody()).signPermit(input))).toEqual([
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
    ]);
  });

  it('is not decided while its bytes are absent or damaged', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody();
    const absent = `sha256:${'0'.repeat(64)}` as const;
    await expect(custody.signPermit({ ...input, requestSha256: absent })).rejects.toMatchObject({
      code: 'BYTES_UNREADABLE',
      retryable: true,
    });
    await expect(custody.signPermit({ ...input, receiptSha256: absent })).rejects.toMatchObject({
      code: 'BYTES_UNREADABLE',
    });
    const hex = sha256(request).slice(7);
    await appendFile(path.join(fixture.dir, 'blobs', 'kept', hex.slice(0, 2), hex.slice(2, 4), hex), ' ');
    await expect(custody.signPermit(input)).rejects.toMatchObject({ code: 'BYTES_UNREADABLE' });
    expect(await fixture.rows('decision', input.launchId)).toEqual([]);
    await fixture.blobs.put(request);
    signed(await custody.signPermit(input));
  });

  it('is refused without a decision if its bytes are not a request and so have no nonce', async () => {
    const requestSha256 = await fixture.blobs.put(new TextEncoder().encode('{}'));
    const custody = await fixture.custody();
    const launchId = randomUUID();
    expect((await custody.signPermit({ launchId, requestSha256, receiptSha256: requestSha256 })).kind).toBe('refused');
    expect(await fixture.rows('decision', launchId)).toEqual([]);
  });
});

describe('After a newer release,', () => {
  const released: Releases = { current: fixtureContext('release-b'), previous: [fixtureContext()] };
  const withdrawn: Releases = { ...released, previous: [] };

  it('the permit of a request of the previous context is signed, beside those of the current one', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody(NOW, undefined, released);
    const { permit } = signed(await custody.signPermit(input));
    expect(permit.contextHash).toBe(canonicalKeccak(fixtureContext()));
    const next = await fixture.admitted(
      randomUUID(),
      underContext(await packedRequest(freshNonce()), released.current),
    );
    expect(signed(await custody.signPermit(next)).permit.contextHash).toBe(canonicalKeccak(released.current));
    // A custody of the earlier release, which runs in parallel for a while, returns both too.
    expect(signed(await (await fixture.custody()).signPermit(input)).permit.requestHash).toBe(keccak256Hex(request));
  });

  it('a receipt of the current context admits no request of the previous one', async () => {
    const { input } = await freshLaunch((receipt) => {
      receipt.contextHash = canonicalKeccak(released.current);
    });
    expect(codes(await (await fixture.custody(NOW, undefined, released)).signPermit(input))).toEqual([
      'PERMIT_REFUSED',
    ]);
  });

  it('a nonce is shared by requests of all contexts', async () => {
    const { input, request } = await freshLaunch();
    const custody = await fixture.custody(NOW, undefined, released);
    signed(await custody.signPermit(input));
    expect(
      codes(await custody.signPermit(await fixture.admitted(randomUUID(), underContext(request, released.current)))),
    ).toEqual(['NONCE_IN_USE']);
  });

  it('a request of a withdrawn context is refused permanently, and its nonce is free for a new one', async () => {
    const { input, request } = await freshLaunch();
    expect(codes(await (await fixture.custody(NOW, undefined, withdrawn)).signPermit(input))).toEqual([
      'CONTEXT_NOT_CURRENT',
    ]);
    const custody = await fixture.custody(NOW, undefined, released);
    expect(codes(await custody.signPermit(input))).toEqual(['CONTEXT_NOT_CURRENT']);
    signed(await custody.signPermit(await fixture.admitted(randomUUID(), underContext(request, released.current))));
  });

  it('a digest that was committed under a withdrawn context is no longer signed, and keeps its nonce', async () => {
    const { input, request } = await freshLaunch();
    const failing: PermitSigner = {
      address: AUTHORITY,
      check: async () => undefined,
      signPermit: async () => {
        throw new Error('the signer is away');
      },
    };
    await expect((await fixture.custody(NOW, failing)).signPermit(input)).rejects.toThrow('the signer is away');
    const custody = await fixture.custody(NOW, undefined, withdrawn);
    expect(codes(await custody.signPermit(input))).toEqual(['CONTEXT_NOT_CURRENT']);
    expect(await fixture.rows('permit_signature', input.launchId)).toEqual([]);
    expect(await custody.refuseLaunch(await fixture.refused(input, request))).toMatchObject({ kind: 'digest-exists' });
    expect(
      codes(await custody.signPermit(await fixture.admitted(randomUUID(), underContext(request, withdrawn.current)))),
    ).toEqual(['NONCE_IN_USE']);
  });

  it('a permit that was signed before its context was withdrawn is returned unchanged', async () => {
    const { input } = await freshLaunch();
    const first = signed(await (await fixture.custody()).signPermit(input));
    expect(await (await fixture.custody(NOW, undefined, withdrawn)).signPermit(input)).toEqual(first);
  });
});
