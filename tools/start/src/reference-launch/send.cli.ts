import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stackSchema } from '../stack.schema.js';
import { sendFromController } from './controller-wallet.js';
import { handedTransaction } from './handed-transaction.js';
import { sendFailureText } from './send-failure.js';

/**
 * `send.cli.js <wallet.json>`: the development controller's wallet. Signs and sends the one transaction of a hand-off or of a
 * plan's step unchanged and prints its hash, or the reason why it was not sent. On a real chain this is your own wallet.
 */
const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: send.cli.js <hand-off or step.json>\n');
  process.exit(2);
}
const dataDir = path.resolve(process.env['LAUNCH_DATA_DIR'] ?? path.join(import.meta.dirname, '../../../../.data'));
const stack = stackSchema.parse(JSON.parse(await readFile(path.join(dataDir, 'stack.json'), 'utf8')));
try {
  // npm starts scripts in the package's folder; the file is meant from where npm was called.
  const handed = JSON.parse(await readFile(path.resolve(process.env['INIT_CWD'] ?? '.', file), 'utf8'));
  const { transaction, deadline } = handedTransaction(handed);
  process.stdout.write(`${await sendFromController(stack, transaction, deadline)}\n`);
} catch (error) {
  process.stderr.write(`${sendFailureText(error)}\n`);
  process.exitCode = 1;
}
