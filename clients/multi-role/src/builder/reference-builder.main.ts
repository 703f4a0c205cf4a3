import { writeStderr } from '../offline/output.js';
import { runOffline } from '../offline/run-offline.js';
import { runBuilder } from './reference-builder.cli.js';

const showProgress = (attempts: number): void => writeStderr(`${JSON.stringify({ mining: { attempts } })}\n`);

process.exitCode = await runOffline(() => runBuilder(process.argv.slice(2), showProgress));
