import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { customLaunchResourceSchema } from '@launch/contracts/custom-launch';
import type { ModuleSubmission } from '@launch/contracts/modules';
import { PLAN_PATHS, planResourceSchema } from '@launch/contracts/plans';
import { CHAIN_BASE_PATH, sha256Digest } from '@launch/contracts/primitives';
import type { ReviewState } from '@launch/contracts/states';
import { packCustomLaunch } from '@launch/multi-role';
import {
  configOnStack,
  CustomLaunchClient,
  EXAMPLE_FILES,
  EXAMPLE_TARGET,
  examplePackage,
  inventoryMaterial,
  issueKey,
  packPlanOnStack,
  ReviewerDesk,
  sendFromController,
  type Stack,
} from '@launch/start';

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const PLANS = PLAN_PATHS.create.replace('{chainId}', '4663');
const SUBMISSIONS = '/v1/modules/submissions';
const PATIENCE_MS = 240_000;
const POLL_MS = 500;

/** Ids of launches of the stack's controller, each in the state of its name. */
export interface OwnedLaunches {
  readonly waiting: string;
  readonly plan: string;
  readonly refused: string;
  readonly finalized: string;
}

/** Ids of module submissions of the stack's controller, each in the state of its name. */
export interface OwnedSubmissions {
  readonly waiting: string;
  readonly failed: string;
  readonly changes: string;
  readonly accepted: string;
}

async function until<T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`${what} is still ${JSON.stringify(answer).slice(0, 1_000)}`);
  }
}

const controllerOf = ({ controller }: Stack) => {
  if (controller === null) throw new Error('this stack has no controller of its own');
  return controller;
};

/** Makes launches of the controller on a running stack, and submits modules of it. */
export class OwnersDesk {
  private constructor(
    private readonly stack: Stack,
    private readonly bundles: string,
    private readonly launches: CustomLaunchClient,
    private readonly modulesKey: string,
  ) {}

  static async open(stack: Stack, bundles: string): Promise<OwnersDesk> {
    const { address } = controllerOf(stack);
    const key = (scopes: readonly string[]) => issueKey(stack, address, scopes, 'website');
    const launches = new CustomLaunchClient(stack, await key(['custom-launch:create', 'custom-launch:read']));
    return new OwnersDesk(stack, bundles, launches, await key(['modules:submit', 'modules:read']));
  }

  async makeLaunches(): Promise<OwnedLaunches> {
    const refused = await this.launch((source) => source.replace(/\bcontract (\w+)/, 'contrakt $1'));
    const waiting = await this.launch((source) => source);
    const finalized = await this.launch((source) => source);
    const plan = await this.plan();
    await this.send(finalized);
    await until(
      'the refused launch',
      () => this.launches.read(refused),
      ({ status }) => status === 'action_required',
    );
    await this.reaches(waiting, 'awaiting_wallet_signature');
    await this.reaches(finalized, 'finalized');
    return { waiting, plan, refused, finalized };
  }

  /** Sends the transaction of a launch from the controller's own wallet. */
  async send(launchId: string): Promise<void> {
    const { handoff } = await this.reaches(launchId, 'awaiting_wallet_signature');
    await sendFromController(this.stack, handoff!.walletTransaction);
  }

  reaches(launchId: string, state: string) {
    return until(
      `launch ${launchId}`,
      () => this.launches.read(launchId),
      ({ status }) => status === state,
    );
  }

  /** Submits four modules and takes each to a state of its review. */
  async submitModules(): Promise<OwnedSubmissions> {
    const desk = await ReviewerDesk.open(this.stack);
    const waiting = await this.submit(EXAMPLE_FILES);
    const failed = await this.submit({
      ...EXAMPLE_FILES,
      [EXAMPLE_TARGET.path]: EXAMPLE_FILES[EXAMPLE_TARGET.path]!.replace(
        'uint16 public feeBps',
        'uint17 public feeBps',
      ),
    });
    const changes = await this.submit(EXAMPLE_FILES);
    const accepted = await this.submit(EXAMPLE_FILES);
    const state = (id: string, wanted: ReviewState) =>
      until(
        `submission ${id}`,
        async () => (await desk.read(id)).status.review.state,
        (now) => now === wanted,
      );
    for (const id of [failed, changes, accepted]) await desk.attachPlan(id, EXAMPLE_TARGET);
    await state(failed, 'build_failed');
    await state(changes, 'built');
    await desk.decide(
      changes,
      'request_changes',
      'State the highest fee in the instructions, and emit the old fee too.',
    );
    await state(accepted, 'built');
    await desk.decide(accepted, 'accept', 'The fee has a bound, and its owner alone changes it.');
    await state(accepted, 'accepted');
    return { waiting, failed, changes, accepted };
  }

  private async launch(edit: (source: string) => string): Promise<string> {
    const { config, context } = await configOnStack(this.stack, this.bundles);
    const { bytes, report } = await packCustomLaunch(config, context, await editedMaterial(edit));
    const { launchId } = await this.launches.ask('POST', LAUNCHES, customLaunchResourceSchema, {
      body: bytes,
      idempotencyKey: report.idempotencyKey,
    });
    return launchId;
  }

  private async plan(): Promise<string> {
    const { bytes, report } = await packPlanOnStack(this.stack, this.bundles, { mode: 'sequential' });
    const { idempotencyKey } = report;
    const { planId } = await this.launches.ask('POST', PLANS, planResourceSchema, { body: bytes, idempotencyKey });
    await until(
      'the plan',
      () => this.launches.ask('GET', `${PLANS}/${planId}`, planResourceSchema),
      ({ steps }) => steps.some(({ authorization }) => authorization !== null),
    );
    return planId;
  }

  private async submit(files: Readonly<Record<string, string>>): Promise<string> {
    const family = `owned-fee-${randomBytes(4).toString('hex')}`;
    const described = examplePackage(controllerOf(this.stack).address, family);
    const packed = Object.entries(files).map(([path, text]) => ({
      path,
      sha256: sha256Digest(Buffer.from(text)),
      contentBase64: Buffer.from(text).toString('base64'),
    }));
    const body: ModuleSubmission = {
      schemaVersion: 'service.modules.submission.v0.1',
      package: { ...described, source: { files: packed.map(({ path, sha256 }) => ({ path, sha256 })) } },
      files: packed,
      supersedes: null,
    };
    const response = await fetch(`${this.stack.gateway}${SUBMISSIONS}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.modulesKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    if (response.status !== 201)
      throw new Error(`the submission is answered ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly submissionId: string }).submissionId;
  }
}

/** Returns the published builder's material with one change of a source. The change makes the compiler refuse it. */
async function editedMaterial(edit: (source: string) => string) {
  const material = await inventoryMaterial();
  const input = JSON.parse(material.standardJsonInput) as { sources: Record<string, { content: string }> };
  const file = Object.keys(input.sources).find((name) => name.endsWith('InventoryToken.sol'))!;
  const source = input.sources[file]!;
  source.content = edit(source.content);
  return { ...material, standardJsonInput: JSON.stringify(input) };
}
