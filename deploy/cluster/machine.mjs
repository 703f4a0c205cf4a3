// Changes the machine for a node, and changes it back: its addresses, forwarding of packets, control groups and what containers
// leave mounted.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from '../helm/find-helm.mjs';
import { mountsBelow, removalOf, setsOf } from './leftovers.mjs';
import { CNI_PLUGINS, COMMANDS } from './program-list.mjs';
import { NODE } from './settings.mjs';

const CGROUPS = '/sys/fs/cgroup';
/** Accepts the packets of pods, which another program's policy of forwarding may drop. NetworkPolicies decide before it. */
const FORWARDING = 'LAUNCH-PODS';

/** Fails unless the machine has what a node runs on. */
export function checkMachine() {
  if (process.platform !== 'linux' || process.getuid() !== 0) throw new Error('a node needs Linux and root');
  const missing = Object.entries(COMMANDS).filter(([command]) => spawnSync('which', [command]).status !== 0);
  const packages = missing.map(([, name]) => name);
  if (!existsSync(path.join(CNI_PLUGINS, 'bridge'))) packages.push('containernetworking-plugins');
  if (packages.length > 0) throw new Error(`missing on this machine: apt-get install ${packages.join(' ')}`);
  const set = spawnSync('ipset', ['list', '-name'], { encoding: 'utf8' });
  if (set.status !== 0) throw new Error(`the kernel has no sets of addresses, by which NetworkPolicies are enforced: ${set.stderr}`);
}

function setSystem(name, value) {
  writeFileSync(path.join('/proc/sys', name.replaceAll('.', '/')), value);
}

const hasLink = (name) => existsSync(`/sys/class/net/${name}`);

/** Gives the node its address and lets packets of pods through. */
export function openNetwork() {
  if (!hasLink(NODE.nodeBridge)) runTool('ip', ['link', 'add', NODE.nodeBridge, 'type', 'bridge']);
  runTool('ip', ['address', 'replace', `${NODE.nodeAddress}/32`, 'dev', NODE.nodeBridge]);
  runTool('ip', ['link', 'set', NODE.nodeBridge, 'up']);
  setSystem('net.ipv4.ip_forward', '1');
  // Packets between two pods of one bridge pass the rules too: without this no policy holds between them.
  setSystem('net.bridge.bridge-nf-call-iptables', '1');
  if (spawnSync('iptables', ['-w', '-n', '-L', FORWARDING]).status === 0) return;
  runTool('iptables', ['-w', '-N', FORWARDING]);
  for (const side of ['-s', '-d']) runTool('iptables', ['-w', '-A', FORWARDING, side, NODE.podRange, '-j', 'ACCEPT']);
  runTool('iptables', ['-w', '-A', 'FORWARD', '-j', FORWARDING]);
}

/** Removes the chains, the sets and the bridges. */
export function closeNetwork() {
  for (const family of ['iptables', 'ip6tables']) {
    const removal = removalOf(runTool(`${family}-save`, []).stdout);
    if (removal !== '') runTool(`${family}-restore`, ['--noflush'], { input: `${removal}\n` });
  }
  for (const name of setsOf(runTool('ipset', ['list', '-name']).stdout)) runTool('ipset', ['destroy', name]);
  for (const name of [NODE.podBridge, NODE.nodeBridge]) if (hasLink(name)) runTool('ip', ['link', 'delete', name]);
}

/** The hierarchies of control groups: one, or one per controller. */
const hierarchies = () => (existsSync(path.join(CGROUPS, 'cgroup.controllers')) ? [CGROUPS] : readdirSync(CGROUPS).map((name) => path.join(CGROUPS, name)));

/** Makes the control group of all pods, in every hierarchy. */
export function makeCgroups(root) {
  for (const hierarchy of hierarchies()) {
    const folder = path.join(hierarchy, root);
    if (existsSync(folder)) continue;
    mkdirSync(folder);
    // A group without processors and memory nodes accepts no process.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const own = path.join(folder, file);
      if (existsSync(own) && readFileSync(own, 'utf8').trim() === '') writeFileSync(own, readFileSync(path.join(hierarchy, file), 'utf8'));
    }
  }
}

/** Folders below a control group, the innermost first. */
function groupsBelow(folder) {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return inner.flatMap((entry) => [...groupsBelow(path.join(folder, entry.name)), path.join(folder, entry.name)]);
}

/** Removes the groups of pods, and the root group unless it was there for something else. */
export async function removeCgroups(root) {
  for (const hierarchy of hierarchies()) {
    const folder = path.join(hierarchy, root);
    if (!existsSync(folder)) continue;
    const pods = path.join(folder, 'kubepods');
    for (const group of existsSync(pods) ? [...groupsBelow(pods), pods] : []) await removeGroup(group);
    const empty = groupsBelow(folder).length === 0 && readFileSync(path.join(folder, 'cgroup.procs'), 'utf8') === '';
    if (empty) await removeGroup(folder);
  }
}

/** The kernel lets go of a group some time after its last process. */
async function removeGroup(folder) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (error.code !== 'EBUSY' || attempt === 50) throw error;
      await sleep(100);
    }
  }
}

/** Unmounts what containers and pods have below the state folder. */
export function unmountBelow(state) {
  for (const point of mountsBelow(readFileSync('/proc/self/mounts', 'utf8'), state)) runTool('umount', ['--lazy', point]);
}
