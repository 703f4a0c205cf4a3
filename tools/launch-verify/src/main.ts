import { canonicalJsonText } from '@launch/contracts/json';
import { HELP, runVerify } from './verify.cli.js';
import { VerifyError } from './verify.error.js';

const VERDICT_EXIT_CODES = { pass: 0, fail: 3, indeterminate: 3 } as const;

async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && argv[0] === '--help') {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    const verdict = await runVerify(argv);
    process.stdout.write(`${canonicalJsonText(verdict)}\n`);
    return VERDICT_EXIT_CODES[verdict.verdict];
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    process.stderr.write(`${canonicalJsonText({ schemaVersion: 'launch.verify-error.v1', code: error.code, message: error.message })}\n`);
    return error.exitCode;
  }
}

process.exitCode = await main(process.argv.slice(2));
