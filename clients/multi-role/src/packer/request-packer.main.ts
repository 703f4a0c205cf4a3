import { runOffline } from '../offline/run-offline.js';
import { runPacker } from './request-packer.cli.js';

await runOffline(() => runPacker(process.argv.slice(2)));
