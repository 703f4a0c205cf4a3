// Deals with containerd beneath Kubernetes: imports images, and ends what still runs when the node goes down.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from '../helm/find-helm.mjs';
import { programPath } from './programs.mjs';
import { writeImage } from './scratch-image.mjs';
import { SANDBOX_IMAGE } from './settings.mjs';

/** The namespace of containerd that Kubernetes uses. */
const ctrArguments = (state, args) => ['--address', path.join(state, 'containerd.sock'), '--namespace', 'k8s.io', ...args];

/** Runs containerd's client and returns what it writes. */
export const ctr = (state, args, more = {}) => runTool(programPath('ctr'), ctrArguments(state, args), more).stdout;

/** Imports an archive of images. */
export const importArchive = (state, archive) => ctr(state, ['images', 'import', archive]);

/** The programs of the cluster that run in pods. */
const IN_PODS = ['coredns', 'traefik', 'metrics-server', 'keda-operator', 'keda-adapter'];

/** The image of a program of the cluster. */
export const imageOf = (program) => `localhost/cluster/${program}:local`;

/** Writes and imports the images of the cluster's own pods, as far as their programs are built. */
export function importScratchImages(state, missing) {
  const present = new Set(ctr(state, ['images', 'ls', '--quiet']).split('\n'));
  const ofMachine = (command) => runTool('which', [command]).stdout.trim();
  const images = [
    { name: SANDBOX_IMAGE, program: ofMachine('catatonit'), args: ['-P'] },
    { name: imageOf('busybox'), program: ofMachine('busybox') },
    ...IN_PODS.filter((program) => !missing.includes(program)).map((program) => ({ name: imageOf(program), program: programPath(program) })),
  ];
  for (const image of images.filter(({ name }) => !present.has(name))) {
    const archive = path.join(state, 'images', `${path.basename(image.program)}.tar`);
    if (!existsSync(archive)) writeImage(archive, image);
    importArchive(state, archive);
  }
}

/** Removes everything of a kind. Removing one may end the process that serves another, which the next round finds gone. */
async function removeAll(state, kind, options = []) {
  let said = '';
  for (let round = 1; round <= 20; round += 1) {
    const present = ctr(state, [kind, 'ls', '--quiet']).split('\n').filter((line) => line !== '');
    if (present.length === 0) return;
    for (const name of present) {
      said = spawnSync(programPath('ctr'), ctrArguments(state, [kind, 'rm', ...options, name]), { encoding: 'utf8' }).stderr;
    }
    await sleep(200);
  }
  throw new Error(`${kind} stay: ${said}`);
}

/** Ends every container and forgets it, so that no process and no mount of one stays. */
export async function stopContainers(state) {
  await removeAll(state, 'tasks', ['--force']);
  await removeAll(state, 'containers');
}
