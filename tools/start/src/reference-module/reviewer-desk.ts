import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { ServedCode } from '@launch/contracts/errors';
import {
  REVIEWER_PATH,
  reviewedSubmissionSchema,
  reviewMovedSchema,
  standardJsonOf,
  type BuildPlan,
  type BuildTarget,
  type ReviewDecision,
  type ReviewedSubmissionDocument,
  type ReviewMoved,
} from '@launch/contracts/modules';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import { reviewDecisionTypedData } from '@launch/evm';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { issueKey, ReferenceLaunchError } from '../reference-launch/reference-launch.js';

/** Far less than a policy allows, and far more than the example takes. */
const LIMITS: BuildPlan['limits'] = { cpuMs: 30_000, memoryPages: 2_048, outputBytes: 4 * 1024 * 1024 };
const SETTINGS: BuildPlan['settings'] = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  viaIR: false,
  metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
};

/** A review begins a moment after its draft was stored. */
const BEGINS_WITHIN_MS = 60_000;
const POLL_MS = 300;
const NOT_BEGUN: ServedCode = 'MODULE_REVIEW_JOB_UNAVAILABLE';

/** The first development wallet of the reviewer policy, at the reviewers' own listener. */
export class ReviewerDesk {
  private constructor(
    private readonly origin: string,
    private readonly apiKey: string,
    private readonly account: PrivateKeyAccount,
  ) {}

  static async open(stack: Stack): Promise<ReviewerDesk> {
    const key = await readFile(path.join(stack.dataDir, 'secrets', 'reviewer-key'), 'utf8');
    const account = privateKeyToAccount(key as Hex);
    const wallet = account.address.toLowerCase();
    return new ReviewerDesk(
      stack.reviewer,
      await issueKey(stack, wallet, ['modules:review'], 'reference-reviewer'),
      account,
    );
  }

  get wallet(): Hex {
    return this.account.address.toLowerCase() as Hex;
  }

  async read(submissionId: string): Promise<ReviewedSubmissionDocument> {
    return reviewedSubmissionSchema.parse(await (await this.ask('GET', submissionId)).json());
  }

  /** Reads the Solidity files as the service keeps them, and has the target built of them. */
  async attachPlan(submissionId: string, target: BuildTarget): Promise<ReviewMoved> {
    const { receipt, files, status, reviewerPolicyDigest } = await this.read(submissionId);
    if (reviewerPolicyDigest === null) throw new ReferenceLaunchError('the review names no policy');
    const sources = files.filter(({ path: file }) => file.endsWith('.sol'));
    const texts = new Map<string, string>();
    for (const { path: file, sha256 } of sources)
      texts.set(file, await (await this.ask('GET', `${submissionId}/files/${sha256}`)).text());
    const compiled = { targets: [target], remappings: [], settings: SETTINGS };
    const plan: BuildPlan = {
      schemaVersion: 'service.modules.build-plan.v1',
      profile: 'service.native-solidity@1',
      reviewerPolicyDigest,
      submissionDigest: receipt.requestDigest,
      compilerVersion: PINNED_COMPILER_VERSIONS.at(-1) as string,
      ...compiled,
      sources: sources.map(({ path: file, sha256 }) => ({ path: file, sha256 })),
      standardJsonInputSha256: sha256Digest(standardJsonOf(compiled, texts)),
      limits: LIMITS,
    };
    return this.change('PUT', `${submissionId}/plan`, status.review.revision, plan);
  }

  /** Decides on the build that the review is at, by the wallet's signature. */
  async decide(submissionId: string, outcome: ReviewDecision['outcome'], reason: string): Promise<ReviewMoved> {
    const { receipt, status, reviewerPolicyDigest } = await this.read(submissionId);
    if (reviewerPolicyDigest === null || status.build === null)
      throw new ReferenceLaunchError('the review names no policy, or no build');
    const { revision } = status.review;
    const decision: Omit<ReviewDecision, 'signature'> = {
      outcome,
      reason,
      artifactDigest: status.build.artifactDigest,
      hostManifestDigest: status.build.hostManifestDigest,
      reviewerPolicyDigest,
      reviewerWallet: this.wallet,
      decidedAt: String(Math.floor(Date.now() / 1_000)),
    };
    const { requestDigest } = receipt;
    const signature = await this.account.signTypedData(reviewDecisionTypedData(decision, { requestDigest, revision }));
    return this.change('POST', `${submissionId}/decisions`, revision, { ...decision, signature });
  }

  private async change(method: 'PUT' | 'POST', route: string, revision: number, body: object): Promise<ReviewMoved> {
    const answer = await this.ask(method, route, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'if-match': `"${revision}"` },
    });
    return reviewMovedSchema.parse(await answer.json());
  }

  /** @throws ReferenceLaunchError for every answer but a success. */
  private async ask(
    method: string,
    route: string,
    { body, headers }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    const target = `${REVIEWER_PATH}/submissions/${route}`;
    for (const end = Date.now() + BEGINS_WITHIN_MS; ; await sleep(POLL_MS)) {
      const response = await fetch(`${this.origin}${target}`, {
        method,
        headers: { authorization: `Bearer ${this.apiKey}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      if (response.ok) return response;
      const text = (await response.text()).slice(0, 1_000);
      if (text.includes(NOT_BEGUN) && Date.now() < end) continue;
      throw new ReferenceLaunchError(`${method} ${target} answers ${response.status}: ${text}`);
    }
  }
}
