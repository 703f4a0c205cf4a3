import type { BlobStore } from '@launch/blob-store';
import {
  commitContext,
  anyEntry,
  sha256Digest,
  signedReceiptSchema,
  sourceReceiptSchema,
  type CreateRequest,
  type Disposition,
  type AnyFinding,
  type SignedReceipt,
  type SourceAssessment,
  type SourceReceipt,
  type Sha256Digest,
} from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import type { IssuedReceipt, ReceiptInput } from '@launch/contracts/orchestration';
import { launchCommitments } from '@launch/evm';
import { AdmissionError } from '../admission.error.js';
import type { ReceiptRepository } from './receipt.repository.js';
import type { ReceiptSigner } from './receipt.signer.js';

/** Findings that mean missing coverage or correctable bindings rather than an unacceptable source (spec 2, Errors). */
const EVIDENCE_LAYERS = new Set(['economics']);
const REMEDIATION: Readonly<Record<Disposition, string | null>> = {
  source_supported: null,
  evidence_required:
    'The platform needs coverage or corrected bindings for these findings; correct what they name and submit a deliberate new request with a new key.',
  rejected:
    'Correct what the findings name, regenerate all bindings and submit a deliberate new request with a new key.',
};

/** Bindings to correct of the inventory model are evidence whatever else names them. */
const INVENTORY_BINDINGS = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';

export const dispositionOf = (findings: readonly AnyFinding[]): Disposition => {
  if (findings.length === 0) return 'source_supported';
  if (findings.some(({ code }) => code === INVENTORY_BINDINGS)) return 'evidence_required';
  return findings.every((finding) => EVIDENCE_LAYERS.has(anyEntry(finding.code).layer))
    ? 'evidence_required'
    : 'rejected';
};

const assessmentOf = (receipt: SourceReceipt, receiptHash: Sha256Digest): SourceAssessment => ({
  schemaVersion: 'service.multi-role-source-assessment.v2',
  disposition: receipt.disposition,
  findingCodes: receipt.findingCodes,
  receiptHash,
  remediation: REMEDIATION[receipt.disposition],
  productionAuthority: false,
});

const issued = (signed: SignedReceipt, receiptSha256: Sha256Digest): IssuedReceipt => ({
  receiptSha256,
  assessment: assessmentOf(signed.receipt, sha256Digest(canonicalizeJson(signed.receipt))),
  disposition: signed.receipt.disposition,
});

export interface ReceiptService {
  /** The receipt of a source decision. A launch has one for ever: a repeated call answers with the first. */
  issue(request: CreateRequest, input: ReceiptInput): Promise<IssuedReceipt>;
}

export function createReceiptService(deps: {
  readonly blobs: BlobStore;
  readonly receipts: ReceiptRepository;
  readonly signer: ReceiptSigner;
  readonly now: () => Date;
}): ReceiptService {
  const { blobs, receipts, signer, now } = deps;

  const readIssued = async (receiptSha256: Sha256Digest): Promise<IssuedReceipt> =>
    issued(signedReceiptSchema.parse(parseStrictJson(await blobs.get(receiptSha256))), receiptSha256);

  return {
    async issue(request, input) {
      const { ref } = input;
      if (ref.launchId !== null) {
        const earlier = await receipts.find(ref.launchId);
        if (earlier !== null) return readIssued(earlier.receiptSha256);
      }
      const receipt = sourceReceiptSchema.parse({
        schemaVersion: 'service.multi-role-source-receipt.v2',
        kind: ref.launchId === null ? 'preflight' : 'admission',
        launchId: ref.launchId,
        requestSha256: ref.requestSha256,
        requestHash: ref.requestHash,
        contextHash: commitContext(request.context).contextHash,
        instructionPolicyHash: request.contextCommitments.instructionPolicyHash,
        artifactHash: launchCommitments(request).artifactHash,
        economicsHash: input.economicsHash,
        recipe: input.recipe,
        disposition: dispositionOf(input.findings),
        findingCodes: [...new Set(input.findings.map((finding) => finding.code))].slice(0, 64),
        materialized: input.materialized,
        decidedAt: now().toISOString(),
      } satisfies Record<keyof SourceReceipt, unknown>);
      const bytes = canonicalizeJson(receipt);
      if (ref.launchId === null) return issued({ receipt, signature: null }, sha256Digest(bytes));

      const signed: SignedReceipt = { receipt, signature: signer.sign(bytes) };
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
