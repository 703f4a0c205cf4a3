import type { FinalityRules, LaunchTarget } from '@launch/chain';
import { CUSTOM_LAUNCH_EVIDENCE_SCHEMA, customLaunchEvidenceSchema } from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import { finalityEvidenceSchema } from '@launch/contracts/multi-role';
import { EVIDENCE_LIMITS } from '@launch/contracts/launch';
import { PLAN_STEP_EVIDENCE_SCHEMA, planStepEvidenceSchema } from '@launch/contracts/plans';
import { sha256Digest } from '@launch/contracts/primitives';
import { z } from 'zod';
import { Checks } from '../checks.js';
import { checkAnswers } from '../evidence/answer.checks.js';
import { checkCustomLaunchIdentity, checkCustomLaunchRequest } from '../evidence/custom-launch.checks.js';
import type { AnyEvidence } from '../evidence/evidence.types.js';
import { checkIdentity } from '../evidence/identity.checks.js';
import { checkPlanRequest, checkStepIdentity } from '../evidence/plan-step.checks.js';
import type { EvidencePins } from '../evidence/evidence-pins.types.js';
import { checkProofs } from '../evidence/proof.checks.js';
import { checkRule } from '../evidence/rule.checks.js';
import { Statements } from '../evidence/statements.js';
import { verdictOf, verdictOfChecks, type Verdict } from '../verdict.types.js';
import { canonicalDocument } from './canonical-document.js';
import { verifyHandoff } from './handoff.command.js';

const anyEvidenceSchema = z.discriminatedUnion('schemaVersion', [
  finalityEvidenceSchema,
  customLaunchEvidenceSchema,
  planStepEvidenceSchema,
]);

/**
 * `evidence <file>`: checks the evidence of finality of a multi-role or custom launch, or of a plan's step, again and
 * offline, from its bytes and the pins.
 * @param rules the versions of the finality rule by their policy ids; defaults to every published version.
 */
export async function verifyEvidence(
  bytes: Uint8Array | null,
  pins: EvidencePins = {},
  rules?: FinalityRules,
): Promise<Verdict> {
  const unpinned = missingPins(pins);
  const parsed = canonicalDocument(bytes, EVIDENCE_LIMITS.bytes, anyEvidenceSchema);
  if (bytes === null || !parsed.ok) return verdictOf('evidence', parsed.ok ? [] : parsed.findings, {}, unpinned);
  const evidence = parsed.value;
  const sha256 = sha256Digest(bytes);
  const checks = new Checks();
  const statements = new Statements(evidence.schemaVersion === PLAN_STEP_EVIDENCE_SCHEMA ? evidence.provenBy : null);
  if (pins.digest != null) checks.equal('address', pins.digest, sha256);
  if (pins.request !== undefined) {
    const findings = checkRequest(checks, evidence, pins.request);
    if (findings.length > 0) return verdictOf('evidence', findings, {}, unpinned);
  }
  checks.equal('outcome', 'finalized', evidence.outcome);
  const target = checkWhose(checks, evidence);
  checkAnswers(checks, evidence);
  const { inclusion, posting, checkpoint } = evidence.conclusion;
  if (pins.checkpoint !== undefined) checks.equal('pin.checkpoint', pins.checkpoint, checkpoint?.blockHash ?? 'none');
  if (pins.l2Block !== undefined) checks.equal('pin.l2Block', pins.l2Block, inclusion?.blockHash ?? 'none');
  if (target !== null) {
    await checkRule(checks, evidence, target, rules);
    const complete = inclusion !== null && posting !== null && checkpoint !== null;
    checks.holds('conclusion.complete', 'inclusion, posting and checkpoint', complete ? null : 'a part is missing');
    checks.holds('proofs', 'there, or named as unavailable', evidence.proofs === null ? 'none' : null);
    if (complete && evidence.proofs !== null)
      checkProofs(checks, statements, evidence.proofs, { inclusion, posting, checkpoint }, target);
  }
  const details = {
    sha256,
    ...detailsOf(evidence),
    proves: checks.failed.length === 0 ? statements.proves(pins) : [],
    restsOnObservers: statements.restsOnObservers(pins),
  };
  return verdictOfChecks('evidence', checks.all, details, [...unpinned, ...statements.missing]);
}

/** @returns the reason why the request cannot be checked; empty after the check. */
function checkRequest(checks: Checks, evidence: AnyEvidence, request: Uint8Array | null): Verdict['findings'] {
  switch (evidence.schemaVersion) {
    case CUSTOM_LAUNCH_EVIDENCE_SCHEMA:
      checkCustomLaunchRequest(checks, evidence, request);
      return [];
    case PLAN_STEP_EVIDENCE_SCHEMA:
      checkPlanRequest(checks, evidence, request);
      return [];
    default: {
      const handoff = verifyHandoff(request, canonicalizeJson(evidence.handoff));
      if (handoff.checks === undefined) return handoff.findings;
      checks.adopt('pin.request', handoff.checks);
      return [];
    }
  }
}

/** Checks the identity of the bundle's launch or step. */
function checkWhose(checks: Checks, evidence: AnyEvidence): LaunchTarget | null {
  switch (evidence.schemaVersion) {
    case CUSTOM_LAUNCH_EVIDENCE_SCHEMA:
      return checkCustomLaunchIdentity(checks, evidence);
    case PLAN_STEP_EVIDENCE_SCHEMA:
      return checkStepIdentity(checks, evidence);
    default:
      return checkIdentity(checks, evidence);
  }
}

function missingPins({ digest, request, checkpoint, l2Block }: EvidencePins): string[] {
  return [
    digest == null ? 'the content address: give --digest, or name the file by it' : null,
    request === undefined ? 'whose launch it is: give your request as --request' : null,
    checkpoint === undefined
      ? 'the Ethereum block of the checkpoint: give its hash from a node you trust as --checkpoint'
      : null,
    l2Block === undefined ? 'the block of chain 4663: give its hash from a node you trust as --l2-block' : null,
  ].filter((line) => line !== null);
}

function detailsOf(evidence: AnyEvidence): object {
  const { launch, conclusion, exchanges } = evidence;
  const { inclusion, posting, checkpoint, transactionHash } = conclusion;
  return {
    launchId: launch.launchId,
    ...(evidence.schemaVersion === PLAN_STEP_EVIDENCE_SCHEMA ? { stepId: evidence.handoff.step.stepId } : {}),
    onchainLaunchId: launch.onchainLaunchId,
    requestSha256: launch.requestSha256,
    contextHash: launch.contextHash,
    transactionHash,
    l2Block: inclusion && { number: inclusion.blockNumber, hash: inclusion.blockHash },
    l1Block: posting && { number: posting.l1BlockNumber, hash: posting.l1BlockHash },
    checkpoint: checkpoint && { number: checkpoint.blockNumber, hash: checkpoint.blockHash },
    exchanges: exchanges.length,
  };
}
