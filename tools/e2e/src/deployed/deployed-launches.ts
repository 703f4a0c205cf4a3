import { setTimeout as sleep } from 'node:timers/promises';
import { type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { issueKey, sendFromController, type Stack } from '@launch/start';
import { freshSource, Launcher, type PreparedRequest } from '../fixtures/launcher.fixture.js';
import { isTerminal } from '../launch-api.js';

/** Two hundred launches with sources of their own take two cores some ten minutes of compilation. */
const PATIENCE_MS = 1_200_000;
const PAUSE_MS = 1_000;
const SCOPES = ['custom-launch:create', 'custom-launch:read'];
const NEVER_ENDS = 'the launch did not end';

/** A deployment of the product. */
export interface Deployment {
  readonly gateway: string;
  stack(): Stack;
}

/** The end of a launch: its status, and the codes of its findings. */
export interface Ending {
  readonly launchId: string;
  readonly onchainLaunchId: string;
  readonly status: string;
  readonly findings: readonly string[];
}

/** Repeats a step whose service may be down, until it succeeds. @throws the last error after some minutes. */
async function persist<T>(step: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** A controller that launches through a deployment whose parts fail. */
export class DeployedLaunches {
  #sending: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly deployment: Deployment,
    readonly apiKey: string,
    private readonly launcher: Launcher,
  ) {}

  /** @param key a key that was issued before, which alone reads its launches; without it, a new one. */
  static async open(deployment: Deployment, key?: string): Promise<DeployedLaunches> {
    const stack = deployment.stack();
    const controller = stack.controller?.address ?? '';
    const apiKey = key ?? (await issueKey(stack, controller, SCOPES, 'deployed'));
    return new DeployedLaunches(
      deployment,
      apiKey,
      await Launcher.withKey({ stack, gateway: stack.gateway, controller }, apiKey),
    );
  }

  /** Packs a request whose sources the compiler has not seen. */
  prepare(): Promise<PreparedRequest> {
    return this.launcher.prepare({ change: freshSource });
  }

  /** Packs a request with the sources of the reference case, which are compiled once. */
  prepareKnown(): Promise<PreparedRequest> {
    return this.launcher.prepare();
  }

  /** Reserves a launch, by exact replays while there is no answer. */
  create(request: PreparedRequest): Promise<string> {
    return persist(() => this.createOnce(request));
  }

  /** Reserves a launch by one request. @throws Error with an answer that names no launch. */
  async createOnce({ bytes, idempotencyKey }: PreparedRequest): Promise<string> {
    const answer = await this.launcher.api.create(bytes, idempotencyKey);
    const body = answer.body as Partial<LaunchResource> & { error?: { statusUrl: string | null } };
    // A replay of a launch that has ended answers with its end, which names the launch.
    const launchId = body.launchId ?? body.error?.statusUrl?.split('/').at(-1);
    if (launchId === undefined || [429, 500, 502, 503].includes(answer.status))
      throw new Error(`create answers ${answer.status} ${JSON.stringify(answer.body).slice(0, 1_000)}`);
    return launchId;
  }

  /** Waits until a launch has its hand-off, or has ended without one. */
  admitted(launchId: string): Promise<LaunchResource> {
    return this.#until(launchId, (seen) => seen.wallet !== null || isTerminal(seen));
  }

  /** Sends the hand-off of a launch, if it gets one, and reports its hash. */
  async send(launchId: string): Promise<void> {
    const { wallet } = await this.admitted(launchId);
    if (wallet === null) return;
    const sent = this.#sending.then(() => sendFromController(this.deployment.stack(), wallet.walletTransaction));
    this.#sending = sent.catch(() => undefined);
    const hint = JSON.stringify({
      schemaVersion: 'service.multi-role-transaction-hint.v2',
      transactionHash: await sent,
    });
    await persist(async () => {
      const answer = await this.launcher.api.send('POST', `${launchId}/transaction-hints`, { body: hint });
      if (answer.status !== 202) throw new Error(`the hint answers ${answer.status} ${JSON.stringify(answer.body)}`);
    });
  }

  /** Waits until a launch is finalized, or refused with a code. */
  async ended(launchId: string): Promise<Ending> {
    const { status, findings, onchainLaunchId } = await this.#until(launchId, isTerminal);
    return { launchId, onchainLaunchId, status, findings: findings.map(({ code }) => code) };
  }

  /** Takes a launch from its reservation to its end. */
  async finish(launchId: string): Promise<Ending> {
    await this.send(launchId);
    return this.ended(launchId);
  }

  /** Returns what the deployment answers about launches, byte for byte. */
  async answersAbout(launches: readonly Ending[]): Promise<Readonly<Record<string, string>>> {
    const { gateway } = this.deployment;
    const routes = [
      `${MULTI_ROLE_BASE_PATH}/finalized`,
      ...launches.flatMap(({ launchId, onchainLaunchId }) => [
        `${MULTI_ROLE_BASE_PATH}/${launchId}`,
        `${MULTI_ROLE_BASE_PATH}/${launchId}/finality`,
        `${MULTI_ROLE_BASE_PATH}/finalized/${onchainLaunchId}`,
      ]),
    ];
    const answers: Record<string, string> = {};
    for (const route of routes) {
      const answer = await persist(async () => {
        const response = await fetch(`${gateway}${route}`, { headers: { authorization: `Bearer ${this.apiKey}` } });
        if (!response.ok) throw new Error(`${route} answers ${response.status}`);
        return response.text();
      });
      answers[route] = answer;
    }
    return answers;
  }

  #until(launchId: string, condition: (resource: LaunchResource) => boolean): Promise<LaunchResource> {
    return this.launcher.api.until(launchId, condition, PATIENCE_MS).catch((error: unknown) => {
      throw new Error(NEVER_ENDS, { cause: error });
    });
  }
}
