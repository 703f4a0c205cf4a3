// `npm run dev:fault -- <fault> [option …]`: provokes a fault on the chains of a running `npm start`.
import path from 'node:path';
import { runFaultCommand } from './fault.command.js';

const dataDir = path.resolve(process.env['LAUNCH_DATA_DIR'] || path.join(import.meta.dirname, '../../../../.data'));
const { exitCode, stdout, stderr } = await runFaultCommand(process.argv.slice(2), dataDir);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
