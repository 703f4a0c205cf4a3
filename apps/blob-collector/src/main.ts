import { parseArgs } from 'node:util';
import { BlobError } from '@launch/blob-store';
import { ConfigError } from '@launch/platform';
import { CollectorError } from './collector.errors.js';
import { runCollection } from './collection/run-collection.js';
import { loadCollectorConfig } from './config.js';

const USAGE = 'usage: main.js [--remove]\nWithout --remove it only counts.\n';

function isRemoving(): boolean | undefined {
  try {
    return parseArgs({ options: { remove: { type: 'boolean', default: false } } }).values.remove;
  } catch {
    return undefined;
  }
}

const remove = isRemoving();
if (remove === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else
  try {
    const summary = await runCollection(loadCollectorConfig(), remove);
    process.stdout.write(
      `${JSON.stringify({ msg: remove ? 'collected' : 'nothing changed: a dry run', ...summary })}\n`,
    );
  } catch (error) {
    if (!(error instanceof CollectorError || error instanceof BlobError || error instanceof ConfigError)) throw error;
    process.stderr.write(`${JSON.stringify({ msg: error.message, code: error.code })}\n`);
    process.exitCode = 1;
  }
