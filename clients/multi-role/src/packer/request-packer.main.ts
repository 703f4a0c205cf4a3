import { runOffline } from '../offline/run-offline.js';
import { PACKER, runPacker } from './request-packer.cli.js';

await runOffline(PACKER, process.argv.slice(2), runPacker);
