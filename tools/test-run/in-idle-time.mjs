// `in-idle-time.mjs <script> [arguments]`: runs a Node script, and all that it starts, on what other processes leave of the
// cores. It wants a session of its own, as run-steps.mjs starts it.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_LOW } = constants.priority;
/** Linux weighs sessions before it weighs the processes of one, where it groups them so. */
const GROUP = '/proc/self/autogroup';

setPriority(PRIORITY_LOW);
if (existsSync(GROUP)) writeFileSync(GROUP, String(PRIORITY_LOW));
const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
