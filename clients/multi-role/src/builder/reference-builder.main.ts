import { writeSync } from 'node:fs';
import { runOffline } from '../offline/run-offline.js';
import { runBuilder } from './reference-builder.cli.js';

const STDERR = 2;
const showProgress = (attempts: number): void => void writeSync(STDERR, `${JSON.stringify({ mining: { attempts } })}\n`);

process.exitCode = await runOffline(() => runBuilder(process.argv.slice(2), showProgress));
