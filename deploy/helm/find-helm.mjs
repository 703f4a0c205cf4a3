// Finds Helm 4 on the PATH or in the user's cache, and builds it into the cache once with Go.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

const HELM = '4.3.1';

/** The folder of tools that checks of the deployment build or install once. */
export const toolCache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'launch');

/** Runs a program to its end and returns what it wrote to both streams. @throws Error with it, if the program fails. */
export function runTool(program, args, more = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...more });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
}

/** Returns the program: a name on the PATH, or its file. */
export function findHelm() {
  const kept = path.join(toolCache, `helm-${HELM}`, 'helm');
  for (const program of ['helm', kept]) {
    const asked = spawnSync(program, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
    if (asked.status === 0 && asked.stdout.startsWith('v4.')) return program;
  }
  process.stderr.write(`building Helm ${HELM} once, which takes minutes\n`);
  mkdirSync(path.dirname(kept), { recursive: true });
  const goCache = mkdtempSync(path.join(tmpdir(), 'helm-build-'));
  try {
    runTool('go', ['install', `helm.sh/helm/v4/cmd/helm@v${HELM}`], {
      env: { ...process.env, GOBIN: path.dirname(kept), GOCACHE: goCache, GOFLAGS: '-p=2', CGO_ENABLED: '0' },
    });
  } finally {
    rmSync(goCache, { recursive: true, force: true });
  }
  return kept;
}
