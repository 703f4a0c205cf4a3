// Calls the cluster with kubectl, as its administrator.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { runTool } from '../helm/find-helm.mjs';
import { programPath } from './programs.mjs';

const withConfiguration = (state, args) => [`--kubeconfig=${path.join(state, 'admin.kubeconfig')}`, ...args];

/** Runs kubectl and returns what it writes. @throws Error with it, if kubectl fails. */
export function kubectl(state, args, more = {}) {
  return runTool(programPath('kubectl'), withConfiguration(state, args), more).stdout;
}

/** Runs kubectl where a failure is an answer, and returns its exit code. */
export function kubectlStatus(state, args) {
  return spawnSync(programPath('kubectl'), withConfiguration(state, args), { stdio: 'ignore' }).status;
}

/** The server checks the fields. kubectl would ask for all of its schemas first, which a busy machine does not answer in time. */
const APPLY = ['apply', '--server-side', '--force-conflicts', '--validate=false', '--filename'];

/** Applies a file of manifests. */
export const applyFile = (state, file) => kubectl(state, [...APPLY, file]);

/** Applies manifests that are objects. */
export const applyObjects = (state, items) => kubectl(state, [...APPLY, '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
