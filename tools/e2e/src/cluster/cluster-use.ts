import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LAUNCH_GATES } from '@launch/contracts/reports';
import { runReferenceLaunch, runReferenceModule, runSequentialPlan, type Stack } from '@launch/start';
import type { OperatedChains } from '../deployed/operator-files.js';
import { downloadPrograms } from '../deployed/published-programs.js';
import { runProgram } from '../deployed/run-program.js';
import type { Kubectl } from './kubectl.js';
import type { PublicOrigins } from './launch-release.js';

const ADMIN = ['node', 'apps/api-gateway/dist/composition/admin/main.js'];
const PATIENCE_MS = 600_000;
const SHOWN_WITHIN_MS = 180_000;
/** A page is asked for by two requests, of which the site's quota must leave the second one. */
const PAUSE_MS = 1_000;

export interface UsedCluster {
  readonly kubectl: Kubectl;
  readonly chains: OperatedChains;
  readonly origins: PublicOrigins;
  /** The review console, by a forwarded port. */
  readonly reviewer: string;
  readonly temporalUi: string;
  /** Folder of the launches' files. */
  readonly folder: string;
}

/** Returns the deployment in the form that launches of tests read. */
export function stackOf({ kubectl, chains, origins, reviewer, temporalUi, folder }: UsedCluster): Stack {
  const { devnet } = chains;
  const exec = ['-n', 'launch', 'exec', 'deploy/launch-api-gateway', '-c', 'api-gateway', '--'];
  return {
    schemaVersion: 'launch.stack.v1',
    ...origins,
    devApi: origins.gateway,
    operations: origins.gateway,
    reviewer,
    temporal: {
      address: 'temporal-frontend.temporal.svc:7233',
      namespace: 'launches',
      custodyNamespace: 'custody',
      modulesNamespace: 'modules',
      ui: temporalUi,
    },
    rpc: { '4663': devnet.rpc['4663'].map(({ url }) => url), '1': devnet.rpc['1'].map(({ url }) => url) },
    faults: devnet.faultsUrl,
    controller: {
      address: devnet.controller.address.toLowerCase() as `0x${string}`,
      privateKeyFile: devnet.controller.privateKeyFile,
    },
    adminCommand: [...kubectl.command, ...exec, ...ADMIN],
    dataDir: folder,
  };
}

/** The launches and the submission of users, by which public pages show them. */
export interface Made {
  readonly launchId: string;
  readonly coin: string;
  readonly planId: string;
  readonly planCoin: string;
  readonly submissionId: string;
}

/** Opens the gates of custom launches and plans, as an operator does. */
export async function openGates(stack: Stack): Promise<void> {
  const set = ['gates', 'set', ...LAUNCH_GATES, 'open', '--by', 'cluster test', '--json'];
  await runProgram([...stack.adminCommand, ...set], { cwd: stack.dataDir });
}

/** Waits until the site shows a text on a page. */
async function shown(url: string, text: string): Promise<void> {
  for (const until = Date.now() + SHOWN_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const page = await fetch(url);
    if (page.status === 200 && (await page.text()).toLowerCase().includes(text.toLowerCase())) return;
    if (Date.now() > until) throw new Error(`${url} answers ${page.status} and does not show ${text}`);
  }
}

/** One launch to its record, one plan and one module, by the published programs; the site shows both coins. */
export async function useCluster(used: UsedCluster, say: (text: string) => void): Promise<Made> {
  const stack = stackOf(used);
  await openGates(stack);
  await mkdir(path.join(used.folder, 'secrets'), { recursive: true, mode: 0o700 });
  const reviewer = (await readFile(used.chains.devnet.owner.privateKeyFile, 'utf8')).trim();
  await writeFile(path.join(used.folder, 'secrets', 'reviewer-key'), reviewer, { mode: 0o600 });
  const workDir = path.join(used.folder, `used-${Date.now()}`);
  await mkdir(workDir);
  const bundles = path.join(workDir, 'downloaded');
  await downloadPrograms(used.origins.gateway, bundles);
  const options = (name: string) => ({
    stack,
    bundles,
    workDir: path.join(workDir, name),
    timeoutMs: PATIENCE_MS,
    onStage: (stage: string, milliseconds: number, detail?: string) =>
      say(`${name}: ${stage} after ${(milliseconds / 1_000).toFixed(1)} s ${detail ?? ''}`.trimEnd()),
  });
  const launch = await runReferenceLaunch({ ...options('launch'), referenceCase: 'buy' });
  const plan = await runSequentialPlan(options('plan'));
  await mkdir(path.join(workDir, 'module'), { recursive: true });
  const { submissionId } = await runReferenceModule(options('module'));
  const [coin, planCoin] = [launch.record.market.token, plan.record.market.token];
  for (const token of [coin, planCoin]) await shown(`${used.origins.site}/coins/4663/${token}`, token);
  return { launchId: launch.launchId, coin, planId: plan.launchId, planCoin, submissionId };
}
