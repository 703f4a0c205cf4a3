import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchPreflight } from '@launch/contracts/custom-launch';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import type { PreflightCheck, PreflightJudgement } from '@launch/contracts/orchestration';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import {
  checksOf,
  CUSTOM_LAUNCH_ARRIVAL,
  CUSTOM_LAUNCH_KEY,
  CUSTOM_LAUNCH_PREFLIGHT,
  CUSTOM_LAUNCH_USD,
  eligibilityOf,
} from '@launch/launch-rules';
import type { Caller } from '../../accounts/credentials/caller.js';
import { LaunchGatesService } from '../../gates/launch-gates.service.js';
import { SourceEvaluationService } from '../source-evaluation.service.js';
import { ConcurrencyService } from '../../../platform/rate-limits/concurrency.service.js';
import type { CustomLaunchFamily, CustomLaunchForm, CustomLaunchRequestForm } from './custom-launch.form.js';
import type { NonceState } from '../arrival.js';
import { CustomLaunchJudge, customLaunchNonceFinding, type ReadRequest } from './custom-launch.judge.js';

/** A preflight of a custom launch or a plan, before a transport shapes the answer. */
export interface JudgedCustomLaunchPreflight<Form extends CustomLaunchForm> {
  readonly read: ReadRequest<Form>;
  readonly checks: readonly PreflightCheck[];
  /** The members that both transports share. */
  readonly shared: Pick<
    CustomLaunchPreflight,
    | 'requestSha256'
    | 'requestHash'
    | 'launchEligibility'
    | 'checks'
    | 'budgets'
    | 'checkpoint'
    | 'warnings'
    | 'persisted'
  >;
}

const USD_REFERENCE = 'usd-reference';
const RETRY_AFTER_SECONDS = 10;

/**
 * Runs preflights of custom-launch requests and plans: every independent check at once, in admission and in the
 * gateway. Nothing is stored or rehearsed.
 */
@Injectable()
export class CustomLaunchPreflightService {
  constructor(
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'ensureOpen'>,
    private readonly requests: CustomLaunchJudge,
    private readonly evaluations: SourceEvaluationService,
    @Inject(ConcurrencyService) private readonly concurrency: Pick<ConcurrencyService, 'run'>,
  ) {}

  /**
   * @param gone aborts when the client disconnects, and stops the compilation too.
   * @throws ApiError for closed gates, for faults of bytes and schema and, for a custom-launch request, for another wallet; 503 for a
   * request without a finding when a chain or a price feed does not answer, or when it takes too long.
   */
  async evaluate<Form extends CustomLaunchForm>(
    form: CustomLaunchRequestForm<Form>,
    caller: Caller,
    body: Buffer<ArrayBuffer>,
    gone: AbortSignal,
  ): Promise<JudgedCustomLaunchPreflight<Form>> {
    await this.gates.ensureOpen();
    return this.concurrency.run('preflight', caller.lineageId, async () => {
      const digest = sha256Digest(body);
      const read = await this.requests.read(form, body, caller);
      const [own, { checks }] = await Promise.all([
        this.ownChecks(form.name, read),
        this.judged(form.name, read, caller.lineageId, gone),
      ]);
      return preflightOf(read, digest, inOrder([...checks, ...own]));
    });
  }

  /** Runs the checks of admission, which depend on the body, its sources and execution on the chain alone. */
  private judged(
    family: CustomLaunchFamily,
    { form, bytes, against }: ReadRequest<CustomLaunchForm>,
    lineageId: string,
    gone: AbortSignal,
  ): Promise<PreflightJudgement> {
    const { requestHash, launchWallet } = form;
    const ref = { family, requestHash, contextHash: against.contextHash, controller: launchWallet };
    return this.evaluations.run({ ref, lineageId }, bytes, gone);
  }

  /** Runs the checks that only the gateway can make: of the caller, the time and the nonces that it holds. */
  private async ownChecks(
    family: CustomLaunchFamily,
    read: ReadRequest<CustomLaunchForm>,
  ): Promise<readonly PreflightCheck[]> {
    const [{ facts, clocks, checkpoint }, nonce, oneUsdReferenceWei] = await Promise.all([
      this.requests.arrival(read),
      this.requests.nonce(read),
      read.form.funding.kind === 'none' ? 0n : this.requests.oneUsdReferenceWei(read),
    ]);
    const unanswered = new Set<string>([
      ...(checkpoint.kind === 'indeterminate' ? ['checkpoint'] : []),
      ...(oneUsdReferenceWei === null ? [USD_REFERENCE] : []),
    ]);
    const arrival = checksOf(CUSTOM_LAUNCH_ARRIVAL, facts, unanswered).map((check) =>
      // One clock alone can fail a window, but only all of them together can pass it.
      check.checkId === 'permit-window' && check.outcome === 'pass' && clocks.kind !== 'in-step'
        ? { ...check, outcome: 'indeterminate' as const }
        : check,
    );
    const usd = { request: read.form, oneUsdReferenceWei: oneUsdReferenceWei ?? 0n };
    return [
      ...(family === 'custom-launch.v4' ? [] : checksOf(CUSTOM_LAUNCH_KEY, read.key)),
      ...arrival,
      ...checksOf(CUSTOM_LAUNCH_USD, usd, unanswered),
      nonceCheck(nonce, read),
    ];
  }
}

/** Orders the checks as both judges do. Of a check that both made, the gateway's result stays. */
function inOrder(checks: readonly PreflightCheck[]): readonly PreflightCheck[] {
  const byId = new Map(checks.map((check) => [check.checkId, check]));
  const order = CUSTOM_LAUNCH_PREFLIGHT.steps.flat().map(({ name }) => name);
  const place = ({ checkId }: PreflightCheck): number => {
    const at = order.indexOf(checkId);
    return at < 0 ? order.length : at;
  };
  return [...byId.values()].sort((a, b) => place(a) - place(b));
}

const checkOf = (checkId: string, finding: CustomLaunchFinding | null): PreflightCheck => ({
  checkId,
  outcome: finding === null ? 'pass' : 'fail',
  dependsOn: [],
  findings: finding === null ? [] : [finding],
});

/** Reports whether the controller's nonce is free; a preflight reserves none. */
const nonceCheck = (nonce: NonceState, { form }: ReadRequest<CustomLaunchForm>): PreflightCheck =>
  nonce === 'unknown'
    ? { checkId: 'nonce', outcome: 'indeterminate', dependsOn: [], findings: [] }
    : checkOf('nonce', nonce === 'in-use' ? customLaunchNonceFinding(form) : null);

function preflightOf<Form extends CustomLaunchForm>(
  read: ReadRequest<Form>,
  digest: Sha256Digest,
  checks: readonly PreflightCheck[],
): JudgedCustomLaunchPreflight<Form> {
  const eligibility = eligibilityOf(checks);
  if (eligibility.findings.length === 0) ensureAnswered(checks);
  const { form } = read;
  return {
    read,
    checks,
    shared: {
      requestSha256: digest,
      requestHash: form.requestHash,
      launchEligibility: eligibility,
      checks: checks.map(({ checkId, outcome, dependsOn }) => ({ checkId, outcome, dependsOn: [...dependsOn] })),
      budgets: { valueWei: form.funding.totalValueWei, gasUpperBoundWei: null, l1DataGasWei: null },
      checkpoint: form.checkpoint,
      warnings: eligibility.deployable ? [{ code: 'TX_SIMULATION_PENDING' }] : [],
      persisted: false,
    },
  };
}

/** Asks the client to retry an indeterminate check of a request without a finding. A request with a finding gets its known results. */
function ensureAnswered(checks: readonly PreflightCheck[]): void {
  for (const { checkId, outcome } of checks)
    if (outcome === 'indeterminate')
      throw new ApiError(
        checkId === USD_REFERENCE ? 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED' : 'SERVICE_UNAVAILABLE',
        { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: new Error(`${checkId} is indeterminate`) },
      );
}
