// The operator's command against the stack that `npm start` runs: reads stack.json and passes everything on.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const dataDir = path.resolve(process.env.LAUNCH_DATA_DIR || path.join(import.meta.dirname, '..', '.data'));
let command;
try {
  command = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')).adminCommand;
} catch {
  process.stderr.write('no stack is running here: start one with `npm start` (or set LAUNCH_DATA_DIR to its folder)\n');
  process.exit(2);
}
// The character that Node puts in place of bytes that are no UTF-8 would reach the command as one that was meant.
if (process.argv.some((argument) => argument.includes('\ufffd'))) {
  process.stderr.write('launch-admin: an argument is not valid UTF-8\n');
  process.exit(2);
}
const [file, ...args] = command;
process.exitCode = spawnSync(file, [...args, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
