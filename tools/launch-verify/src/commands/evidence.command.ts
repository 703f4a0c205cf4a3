import { EVIDENCE_LIMITS, finalityEvidenceSchema, sha256Digest } from '@launch/contracts';
import { Checks } from '../checks.js';
import { checkAnswers } from '../evidence/answer.checks.js';
import { checkIdentity } from '../evidence/identity.checks.js';
import { checkProofs } from '../evidence/proof.checks.js';
import { checkRule } from '../evidence/rule.checks.js';
import { Statements } from '../evidence/statements.js';
import { verdictOf, verdictOfChecks, type Verdict } from '../verdict.types.js';
import { canonicalDocument } from './canonical-document.js';

/**
 * `evidence <file>`: checks the owner's evidence of finality again, offline, from its bytes alone.
 * @param digest The content address the bytes must have, from the command line or the file's name; null for neither.
 */
export async function verifyEvidence(bytes: Uint8Array | null, digest: string | null): Promise<Verdict> {
  const unaddressed = digest === null ? ['the content address: give --digest, or name the file by it'] : [];
  const parsed = canonicalDocument(bytes, EVIDENCE_LIMITS.bytes, finalityEvidenceSchema);
  if (bytes === null || !parsed.ok) return verdictOf('evidence', parsed.ok ? [] : parsed.findings, {}, unaddressed);
  const evidence = parsed.value;
  const sha256 = sha256Digest(bytes);
  const checks = new Checks();
  const statements = new Statements();
  if (digest !== null) checks.equal('address', digest, sha256);
  checks.equal('outcome', 'finalized', evidence.outcome);
  const target = checkIdentity(checks, evidence);
  checkAnswers(checks, evidence.exchanges);
  const { inclusion, posting, checkpoint, transactionHash } = evidence.conclusion;
  if (target !== null) {
    await checkRule(checks, evidence, target);
    const complete = inclusion !== null && posting !== null && checkpoint !== null;
    checks.holds('conclusion.complete', 'inclusion, posting and checkpoint', complete ? null : 'a part is missing');
    checks.holds('proofs', 'there, or named as unavailable', evidence.proofs === null ? 'none' : null);
    if (complete && evidence.proofs !== null) checkProofs(checks, statements, evidence.proofs, { inclusion, posting, checkpoint }, target);
  }
  const { launchId, onchainLaunchId } = evidence.launch;
  const details = {
    sha256,
    launchId,
    onchainLaunchId,
    transactionHash,
    l2Block: inclusion && { number: inclusion.blockNumber, hash: inclusion.blockHash },
    l1Block: posting && { number: posting.l1BlockNumber, hash: posting.l1BlockHash },
    checkpoint: checkpoint && { number: checkpoint.blockNumber, hash: checkpoint.blockHash },
    exchanges: evidence.exchanges.length,
    proves: checks.failed.length === 0 ? statements.proves : [],
    restsOnObservers: statements.restsOnObservers,
  };
  return verdictOfChecks('evidence', checks.all, details, [...unaddressed, ...statements.missing]);
}
