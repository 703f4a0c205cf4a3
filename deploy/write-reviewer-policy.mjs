// Writes the reviewer policy of a deployment: who reviews modules, and whose build results count.
// node --no-warnings --conditions=@launch/source --import ./tools/source-hooks.mjs deploy/write-reviewer-policy.mjs
// <the builder's public key, SPKI PEM> <target> <reviewer's wallet, lowercase>...
// Nothing may stand at the target: a policy is never edited, only succeeded. The document is canonical JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { canonicalSha256, reviewerPolicyOf } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';

const [key, target, ...reviewers] = process.argv.slice(2);
if (key === undefined || target === undefined || reviewers.length === 0) {
  process.stderr.write('usage: write-reviewer-policy.mjs <public key> <target> <reviewer>...\n');
  process.exit(2);
}
try {
  const policy = reviewerPolicyOf({
    reviewers,
    workerPublicPem: readFileSync(key, 'utf8'),
    compilerVersions: PINNED_COMPILER_VERSIONS,
  });
  writeFileSync(target, canonicalizeJson(policy), { flag: 'wx', mode: 0o644 });
  process.stdout.write(`${canonicalSha256(policy)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
