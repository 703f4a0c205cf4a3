import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly byteLength: number;
  readonly sha256: string;
  readonly integrity: string;
}

/** Packs packages into a folder, all of them without names. @returns their descriptions in `packages.json` */
export async function packInto(folder: string, ...names: readonly string[]): Promise<readonly PackedPackage[]> {
  const program = path.join(REPOSITORY, 'clients/packages/pack.mjs');
  await run(process.execPath, [program, folder, ...names], folder);
  const described = JSON.parse(readFileSync(path.join(folder, 'packages.json'), 'utf8')) as {
    packages: readonly PackedPackage[];
  };
  return described.packages;
}

/** Creates an empty folder for a test, and returns its removal. */
export function emptyFolder(): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'packages-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a program with this Node first on the path. @returns its output. @throws Error when it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => output.push(part));
  child.stderr.on('data', (part: Buffer) => output.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  const text = Buffer.concat(output).toString('utf8');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ends with ${code}\n${text.slice(-3_000)}`);
  return text;
}
