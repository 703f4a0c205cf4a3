import type { BlobStore } from '@launch/blob-store';
import { anyEntry, type AnyFinding } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { commitContext, type Disposition } from '@launch/contracts/launch';
import type { IssuedReceipt, ReceiptInput } from '@launch/contracts/orchestration';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { Ed25519Signer } from '@launch/platform';
import { AdmissionError } from '../admission.error.js';
import type { JudgedLaunch } from '../families/judged-launch.js';
import { assessmentOf, receiptOf, signedReceiptOf, type AnySignedReceipt } from './receipt.documents.js';
import type { ReceiptRepository } from './receipt.repository.js';

/** Layers whose findings mean missing coverage or correctable bindings (docs/reference/multi-role.md#source-disposition). */
const EVIDENCE_LAYERS = new Set(['economics']);
/** Codes of other layers with the same meaning. */
const EVIDENCE_CODES = new Set<AnyFinding['code']>(['COMPILE_BUDGET_EXCEEDED']);
/** Bindings to correct of the inventory model are evidence, regardless of the other findings. */
const INVENTORY_BINDINGS = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';

export const dispositionOf = (findings: readonly AnyFinding[]): Disposition => {
  if (findings.length === 0) return 'source_supported';
  if (findings.some(({ code }) => code === INVENTORY_BINDINGS)) return 'evidence_required';
  return findings.every(({ code }) => EVIDENCE_CODES.has(code) || EVIDENCE_LAYERS.has(anyEntry(code).layer))
    ? 'evidence_required'
    : 'rejected';
};

const issued = (signed: AnySignedReceipt, receiptSha256: Sha256Digest): IssuedReceipt => ({
  receiptSha256,
  assessment: assessmentOf(signed.receipt, sha256Digest(canonicalizeJson(signed.receipt))),
  disposition: signed.receipt.disposition,
});

export interface ReceiptService {
  /** Issues the receipt of a source decision. A launch has exactly one: a repeated call returns the first. */
  issue(launch: JudgedLaunch, input: ReceiptInput): Promise<IssuedReceipt>;
}

export function createReceiptService(deps: {
  readonly blobs: BlobStore;
  readonly receipts: ReceiptRepository;
  readonly signer: Ed25519Signer;
  readonly now: () => Date;
}): ReceiptService {
  const { blobs, receipts, signer, now } = deps;

  const readIssued = async (receiptSha256: Sha256Digest): Promise<IssuedReceipt> =>
    issued(signedReceiptOf(parseStrictJson(await blobs.get(receiptSha256))), receiptSha256);

  return {
    async issue(launch, input) {
      const { ref } = input;
      if (ref.launchId !== null) {
        const earlier = await receipts.find(ref.launchId);
        if (earlier !== null) return readIssued(earlier.receiptSha256);
      }
      const { contextHash, instructionPolicyHash } = commitContext(launch.request.context);
      const receipt = receiptOf(launch.family, {
        kind: ref.launchId === null ? 'preflight' : 'admission',
        launchId: ref.launchId,
        requestSha256: ref.requestSha256,
        requestHash: ref.requestHash,
        contextHash,
        instructionPolicyHash,
        artifactHash: launch.artifactHash(),
        economicsHash: input.economicsHash,
        recipe: input.recipe,
        disposition: dispositionOf(input.findings),
        findingCodes: [...new Set(input.findings.map((finding) => finding.code))].slice(0, 64),
        materialized: input.materialized,
        decidedAt: now().toISOString(),
      });
      const bytes = canonicalizeJson(receipt);
      if (ref.launchId === null) return issued({ receipt, signature: null } as AnySignedReceipt, sha256Digest(bytes));

      const signed = signedReceiptOf({ receipt, signature: signer.sign(bytes).signature });
      const receiptSha256 = await blobs.put(canonicalizeJson(signed));
      const kept = await receipts.insertOnce({
        launchId: ref.launchId,
        requestHash: ref.requestHash,
        receiptSha256,
        disposition: receipt.disposition,
      });
      if (kept.receiptSha256 === receiptSha256) return issued(signed, receiptSha256);
      const first = await readIssued(kept.receiptSha256);
      if (first.disposition !== receipt.disposition)
        throw new AdmissionError('RECEIPT_CONFLICT', 'two evaluations of one launch came to different decisions');
      return first;
    },
  };
}
