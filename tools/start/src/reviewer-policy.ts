import { readFile } from 'node:fs/promises';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { reviewerPolicyOf } from '@launch/contracts';
import { canonicalJsonText } from '@launch/contracts/json';
import { privateKeyToAddress } from 'viem/accounts';
import { writePrivate, type DataFolder, type Secrets } from './data-folder.js';

/**
 * Publishes the reviewer policy of a development deployment: one reviewer, the development wallet, and the builder's key.
 * @returns the file of its canonical JSON.
 */
export async function publishReviewerPolicy(folder: DataFolder, secrets: Secrets): Promise<string> {
  const key = (await readFile(secrets.reviewerKeyFile, 'utf8')) as `0x${string}`;
  const policy = reviewerPolicyOf({
    reviewers: [privateKeyToAddress(key).toLowerCase() as `0x${string}`],
    workerPublicPem: await readFile(secrets.buildPublicKeyFile, 'utf8'),
    compilerVersions: PINNED_COMPILER_VERSIONS,
  });
  const file = folder.file('reviewer-policy.json');
  await writePrivate(file, canonicalJsonText(policy));
  return file;
}
