import { readFile } from 'node:fs/promises';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { canonicalJsonText } from '@launch/contracts/json';
import { reviewerPolicyOf } from '@launch/contracts/modules';
import { privateKeyToAddress } from 'viem/accounts';
import { writePrivate, type DataFolder, type Secrets } from './data-folder.js';

/**
 * Publishes the reviewer policy of a development deployment: two reviewers, its development wallets, and the builder's key.
 * @returns the file of its canonical JSON.
 */
export async function publishReviewerPolicy(folder: DataFolder, secrets: Secrets): Promise<string> {
  const walletOf = async (file: string) =>
    privateKeyToAddress((await readFile(file, 'utf8')) as `0x${string}`).toLowerCase() as `0x${string}`;
  const policy = reviewerPolicyOf({
    reviewers: await Promise.all([secrets.reviewerKeyFile, secrets.secondReviewerKeyFile].map(walletOf)),
    workerPublicPem: await readFile(secrets.buildPublicKeyFile, 'utf8'),
    compilerVersions: PINNED_COMPILER_VERSIONS,
  });
  const file = folder.file('reviewer-policy.json');
  await writePrivate(file, canonicalJsonText(policy));
  return file;
}
