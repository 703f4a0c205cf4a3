// `make-pictures.cli.ts [folder]`: brings launches into the states of docs/guides/operating.md, runs its commands,
// and makes its pictures again.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { admitWorkflowId, observeWorkflowId, RECOVERY_WORKFLOW_ID } from '@launch/contracts/orchestration';
import { locateTemporal } from '@launch/temporal-server';
import { openBrowser, UiPage } from './browser.js';

import { filled, guidePages, type GuidePage, type Placeholders } from './operating-guide.js';
import { ScriptedLaunches } from './scripted-launches.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs', 'guides', 'operating'));
const pages = new Map(
  guidePages(readFileSync(path.join(root, 'docs', 'guides', 'operating.md'), 'utf8')).map((page) => [
    page.picture,
    page,
  ]),
);
const shell = promisify(execFile);
/** The height of the picture of each kind of page, in pixels. */
const HEIGHTS = { list: 360, details: 1_080 } as const;
/** A stack trace would show folders of the machine that makes the pictures. */
const BEFORE_THE_TRACE = 'Stack Trace';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { program } = await locateTemporal(say);
const launches = new ScriptedLaunches();
const { ui: origin, address, namespace } = await launches.start();
const { temporal } = launches;
const browser = await openBrowser();
try {
  const ui = await UiPage.open(browser, origin);
  await mkdir(folder, { recursive: true });
  const pageOf = (picture: string): GuidePage => {
    const page = pages.get(picture);
    if (page === undefined) throw new Error(`the guide has no picture ${picture}`);
    return page;
  };

  /** Runs a range of a page's commands; `from` and `to` are those of an array. */
  const type = async (picture: string, names: Placeholders, from = 0, to?: number): Promise<void> => {
    for (const command of pageOf(picture).commands.slice(from, to)) {
      const line = filled(command, names)
        .replace(/^temporal /, `'${program}' `)
        .replace(/ #.*$/, '');
      const env = { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
      await shell('bash', ['-c', line], { env });
      say(`  $ ${filled(command, names)}`);
    }
  };
  const take = async (picture: string, names: Placeholders, height: number | string): Promise<void> => {
    await ui.shows(pageOf(picture).shows.map((text) => filled(text, names)));
    await ui.picture(path.join(folder, `${picture}.png`), height);
    say(`${picture}.png: ${pageOf(picture).title}`);
  };
  /** Opens the list with a page's filter, once the server lists the workflow of the page. */
  const list = async (picture: string, names: Placeholders, filter = 0): Promise<void> => {
    const query = filled(pageOf(picture).filters[filter] ?? '', names);
    await launches.until(
      `something listed by ${query}`,
      async () => (await temporal.client.workflow.count(query)).count > 0,
    );
    await ui.go(`/workflows?query=${encodeURIComponent(query)}`);
  };
  const workflow = async (workflowId: string, tab: string): Promise<void> => {
    const { runId } = await temporal.client.workflow.getHandle(workflowId).describe();
    await ui.go(`/workflows/${encodeURIComponent(workflowId)}/${runId}/${tab}`);
  };

  const refused = await launches.refused();
  const found = { ...refused, controller: launches.controller };
  await list('find-a-launch', found, 2);
  await take('find-a-launch', found, HEIGHTS.list);
  await type('find-a-launch', found);

  const launchId = await launches.begun();
  const held = { launchId };
  await type('hold-and-release', held, 0, 1);
  await launches.stage(admitWorkflowId(launchId), 'held');
  await workflow(admitWorkflowId(launchId), 'user-metadata');
  await take('hold-and-release', held, HEIGHTS.details);

  launches.observersFail();
  await type('hold-and-release', held, 1);
  await launches.until('a failed attempt', async () => {
    const { raw } = await temporal.client.workflow.getHandle(admitWorkflowId(launchId)).describe();
    return (raw.pendingActivities ?? []).some(({ lastFailure }) => lastFailure != null);
  });
  await workflow(admitWorkflowId(launchId), 'user-metadata');
  await take('why-it-waits', held, HEIGHTS.details);
  await type('why-it-waits', held);
  await workflow(admitWorkflowId(launchId), 'pending-activities');
  await take('failed-step', held, BEFORE_THE_TRACE);
  await type('failed-step', held);
  await launches.observersAnswer(launchId);

  await launches.included(launchId);
  await workflow(observeWorkflowId(launchId), 'user-metadata');
  await take('recheck', held, HEIGHTS.details);
  await type('recheck', held);
  await list('stuck-posting', held);
  await take('stuck-posting', held, HEIGHTS.list);
  await type('stuck-posting', held);

  const damaged = await launches.troubled();
  const troubled = { launchId: damaged.launchId };
  await workflow(observeWorkflowId(damaged.launchId), 'user-metadata');
  await take('retry-now', troubled, HEIGHTS.details);
  damaged.mend();
  await type('retry-now', troubled);
  await launches.stage(observeWorkflowId(damaged.launchId), 'included');

  await list('batch', troubled);
  await ui.shows([observeWorkflowId(damaged.launchId)]);
  await ui.click('[data-testid=batch-actions-checkbox-label]');
  await take('batch', troubled, HEIGHTS.list);
  await type('batch', troubled);

  await type('pause-the-recovery', {}, 0, 1);
  await workflow(RECOVERY_WORKFLOW_ID, 'user-metadata');
  await take('pause-the-recovery', {}, HEIGHTS.details);
  await type('pause-the-recovery', {}, 1);

  await ui.go('/workers/deployments');
  await take('worker-versions', {}, HEIGHTS.list);
  await type('worker-versions', {});

  say('every page shows what the guide says of it');
} finally {
  await browser.close();
  await launches.stop();
}
