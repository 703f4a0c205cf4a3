import { endProgram } from '@launch/client-core/command';
import { outputFailure } from './command/command.error.js';
import { runIndexReader } from './command/run-index-reader.js';

endProgram(await runIndexReader(process.argv.slice(2), process.env), (fault) => {
  const { exitCode, failure } = outputFailure(fault);
  return { exitCode, stderr: `${JSON.stringify(failure)}\n` };
});
