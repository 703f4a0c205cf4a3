// The rules of .oxlintrc.json: all that a file alone decides, and those that ask for types. oxlint asks TypeScript's own checker,
// where a program of all files takes a third of ESLint's time. ESLint has the rules about imports.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');
/** One thread that collects its garbage rarely: several take twice the processor time, and the second core has other work. */
const THRIFT = { GOMAXPROCS: '1', GOGC: '400' };
/** With something found; anything else but 0 is trouble. */
const FOUND = 1;

/**
 * Asks these rules about files and folders. Where `format` is `json` the answer is `{ diagnostics: [{ filename, code, message }] }`.
 * @param tsconfig the project that has their types.
 * @param ignored patterns of files that another project has.
 * @throws Error when the rules could not be asked.
 */
export async function askOxlint(files, format, tsconfig = 'tsconfig.tests.json', ignored = []) {
  const oxlint = path.join(root, 'node_modules/oxlint/bin/oxlint');
  const how = ['--type-aware', '--no-error-on-unmatched-pattern', '--tsconfig', tsconfig, '--format', format];
  how.push(...ignored.flatMap((pattern) => ['--ignore-pattern', pattern]));
  const child = spawn(process.execPath, [oxlint, ...how, ...files], {
    cwd: root,
    env: { ...process.env, ...THRIFT, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, trouble, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ]);
  if (code !== 0 && code !== FOUND) throw new Error(`oxlint ended with ${code}: ${trouble || said}`);
  return { isClean: code === 0, said };
}
