import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  canonicalSha256,
  type BuildPlan,
  type ModuleReviewStatus,
  type ReviewDecision,
  type ReviewerPolicy,
  type Sha256Digest,
} from '@launch/contracts';
import { reviewDecisionTypedData } from '@launch/evm';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { planOf } from '../../../../apps/module-builder/src/fixtures/submitted-module.fixture.js';
import { moduleSubmission } from '../../../../libs/contracts/src/modules/module-package.fixture.js';
import { freshKey } from '../fixtures/launch-desk.fixture.js';
import { launchApi, type Answer, type LaunchApi } from '../launch-api.js';
import type { StackAccess } from '../stacks/own-stack.js';

const SUBMISSIONS = '/v1/modules/submissions';
export const REVIEWS = '/v1/reviewer/submissions';
export const MODULE_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract FeeModule { uint16 public feeBps = 30; }
`;
const PATIENCE_MS = 180_000;

/** A draft under review, as its author sent it. */
export interface Draft {
  readonly submissionId: string;
  readonly requestDigest: Sha256Digest;
  readonly files: Readonly<Record<string, string>>;
  readonly author: LaunchApi;
}

/** Reviewers and authors of the running product. */
export interface ReviewDesk {
  readonly reviewers: readonly PrivateKeyAccount[];
  readonly reviewer: LaunchApi;
  readonly reviewerKey: string;
  readonly policyDigest: Sha256Digest;
  submit(draft: {
    readonly files: Readonly<Record<string, string>>;
    readonly author?: string;
    readonly family?: string;
    readonly version?: string;
    readonly supersedes?: string;
  }): Promise<Draft>;
  plan(draft: Draft, given?: Partial<BuildPlan>): BuildPlan;
  /** Waits until the review can be changed. */
  started(draft: Draft): Promise<void>;
  /** Waits until the author reads that state. */
  until(draft: Draft, state: string): Promise<ModuleReviewStatus>;
  signed(
    draft: Draft,
    revision: number,
    given: Partial<ReviewDecision> & Pick<ReviewDecision, 'outcome'>,
    by?: PrivateKeyAccount,
  ): Promise<ReviewDecision>;
  change(method: 'PUT' | 'POST', draft: Draft, route: string, revision: number, body?: unknown): Promise<Answer>;
}

export async function openReviewDesk(stack: StackAccess): Promise<ReviewDesk> {
  const keyOf = (name: string) => readFile(path.join(stack.dir, 'secrets', name), 'utf8');
  const reviewers = (await Promise.all(['reviewer-key', 'second-reviewer-key'].map(keyOf))).map((key) =>
    privateKeyToAccount(key as `0x${string}`),
  );
  const policy = JSON.parse(await readFile(path.join(stack.dir, 'reviewer-policy.json'), 'utf8')) as ReviewerPolicy;
  const policyDigest = canonicalSha256(policy);
  const walletOf = ({ address }: PrivateKeyAccount) => address.toLowerCase() as `0x${string}`;
  const [first] = reviewers as [PrivateKeyAccount, PrivateKeyAccount];
  const reviewerKey = await stack.issueKey({ scopes: ['modules:review'], wallet: walletOf(first) });
  const reviewer = launchApi(stack.stack.reviewer, reviewerKey);
  return {
    reviewers,
    reviewer,
    reviewerKey,
    policyDigest,
    async submit({ files, author = `0x${randomBytes(20).toString('hex')}`, supersedes, ...more }) {
      const api = launchApi(
        stack.gateway,
        await stack.issueKey({ scopes: ['modules:submit', 'modules:read'], wallet: author }),
      );
      const declared = moduleSubmission(files, { author, rewardWallet: author, ...more });
      const { capabilities, management } = declared.package;
      const body = {
        ...declared,
        package: {
          ...declared.package,
          capabilities: { ...capabilities, contracts: [], hookPermissions: [] },
          management: { ...management, reads: [], actions: [] },
        },
        supersedes: supersedes ?? null,
      };
      const created = await api.send('POST', SUBMISSIONS, {
        body: JSON.stringify(body),
        headers: { 'idempotency-key': freshKey() },
      });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      return { ...(created.body as Pick<Draft, 'submissionId' | 'requestDigest'>), files, author: api };
    },
    plan: ({ requestDigest, files }, given) =>
      planOf(
        { policy: { digest: policyDigest } },
        requestDigest,
        { files },
        [{ path: 'src/FeeModule.sol', contract: 'FeeModule' }],
        given,
      ),
    async started({ submissionId }) {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((go) => setTimeout(go, 200))) {
        const { status } = await reviewer.send('POST', `${REVIEWS}/${submissionId}/requeue`, {
          headers: { 'if-match': '999' },
        });
        if (status === 412) return;
      }
      throw new Error('the review did not begin');
    },
    async until({ submissionId, author }, state) {
      let last: unknown;
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((go) => setTimeout(go, 200))) {
        const { status, body } = await author.send('GET', `${SUBMISSIONS}/${submissionId}/review`);
        last = body;
        if (status === 200 && (body as ModuleReviewStatus).review.state === state) return body as ModuleReviewStatus;
      }
      throw new Error(`${JSON.stringify(last)} instead of ${state}`);
    },
    async signed({ requestDigest }, revision, given, by = first) {
      const decision = {
        reason: 'Read and understood.',
        artifactDigest: null,
        hostManifestDigest: null,
        reviewerPolicyDigest: policyDigest,
        reviewerWallet: walletOf(by),
        decidedAt: String(Math.floor(Date.now() / 1_000)),
        ...given,
      };
      const signature = await by.signTypedData(reviewDecisionTypedData(decision, { requestDigest, revision }));
      return { ...decision, signature };
    },
    change: (method, { submissionId }, route, revision, body) =>
      reviewer.send(method, `${REVIEWS}/${submissionId}/${route}`, {
        headers: { 'if-match': String(revision) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
