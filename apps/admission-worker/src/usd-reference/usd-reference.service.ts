import type { BlobStore } from '@launch/blob-store';
import { getCodeAgreed, readUsdReference, type ObserverPair } from '@launch/chain';
import { signedUsdReferenceSchema } from '@launch/contracts/custom-launch';
import type { UsdFeed } from '@launch/contracts/launch';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRef, UsdReferenceVerdict } from '@launch/contracts/orchestration';
import { keccak256Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { USD_QUOTE_RETRY_REQUIRED, usdReferenceDocument } from '@launch/evm';
import type { Ed25519Signer } from '@launch/platform';
import { hexToBytes } from 'viem';
import { AdmissionError } from '../admission.error.js';
import type { HandoffFacts, JudgedLaunch } from '../families/judged-launch.js';

export interface UsdReferenceService {
  /** Reads both feeds of the launch's own context now, judges the buy by them, and signs the reading. */
  read(launch: JudgedLaunch, ref: LaunchRef & { readonly launchId: string }): Promise<UsdReferenceVerdict>;
  /** Returns a stored reading of this launch for its hand-off. */
  stored(digest: Sha256Digest, ref: LaunchRef): Promise<NonNullable<HandoffFacts['usdReference']>>;
}

const UNUSABLE: UsdReferenceVerdict = { kind: 'unusable', reason: USD_QUOTE_RETRY_REQUIRED };

/** @param observers.l1 null in a deployment without custom launches, which reads no price. */
export function createUsdReferenceService(deps: {
  readonly observers: { readonly l2: ObserverPair; readonly l1: ObserverPair | null };
  readonly blobs: BlobStore;
  readonly signer: Ed25519Signer;
  readonly now: () => Date;
}): UsdReferenceService {
  const { observers, blobs, signer, now } = deps;

  /** Checks that the feed's program is the pinned one, as both observers of its chain return it. */
  const isPinned = async (pair: ObserverPair, { address, runtimeCodeHash }: UsdFeed): Promise<boolean> => {
    const code = await getCodeAgreed(pair, address);
    return code.kind !== 'indeterminate' && keccak256Hex(hexToBytes(code.value)) === runtimeCodeHash;
  };

  return {
    async read(launch, ref) {
      if (launch.initialBuy === null) return { kind: 'none' };
      const { l2, l1 } = observers;
      if (l1 === null) throw new AdmissionError('PROVIDERS_UNDECIDED', 'no observers of Ethereum are configured');
      const { feeds, judge } = launch.initialBuy;
      const [reading, ...pinned] = await Promise.all([
        readUsdReference({ l2, l1 }, feeds, () => now().getTime()),
        isPinned(l2, feeds.l2Feed),
        isPinned(l1, feeds.l1Feed),
      ]);
      if (reading.kind !== 'usable' || pinned.includes(false)) return UNUSABLE;
      const findings = judge(reading.oneUsdReferenceWei);
      if (findings.length > 0) return { kind: 'below', findings };
      const { launchId, requestHash, contextHash } = ref;
      const usdReference = usdReferenceDocument(reading, { launchId, requestHash, contextHash });
      const signature = signer.sign(canonicalizeJson(usdReference)).signature;
      return {
        kind: 'usable',
        usdReferenceSha256: await blobs.put(canonicalizeJson({ usdReference, signature })),
        oneUsdReferenceWei: usdReference.oneUsdReferenceWei,
        readAt: usdReference.readAt,
      };
    },

    async stored(digest, ref) {
      const { usdReference } = signedUsdReferenceSchema.parse(assertCanonicalJson(await blobs.get(digest)));
      if (usdReference.launchId !== ref.launchId || usdReference.requestHash !== ref.requestHash)
        throw new AdmissionError('USD_REFERENCE_UNREADABLE', 'the reading is of another launch');
      const { oneUsdReferenceWei, readAt } = usdReference;
      return { oneUsdReferenceWei, readAt: new Date(Number(readAt) * 1_000).toISOString() };
    },
  };
}
