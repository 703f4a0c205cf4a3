import { runLaunch } from './run-launch.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());

const { exitCode, stdout, stderr } = await runLaunch(process.argv.slice(2), process.env, {
  stdout: process.stdout.isTTY,
  stderr: process.stderr.isTTY,
  signal: interruption.signal,
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
