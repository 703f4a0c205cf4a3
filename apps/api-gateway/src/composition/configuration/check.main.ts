// Checks the gateway's environment without starting anything. Prints one line of JSON with the refused variables, never
// their values. Exit code 0 for a valid configuration, 2 for an invalid one.
import { ConfigError } from '@launch/platform';
import { readGatewayConfig } from './gateway.config.js';

function problems(): ConfigError['problems'] {
  try {
    readGatewayConfig();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const found = problems();
process.stdout.write(`${JSON.stringify({ schemaVersion: 'launch.configuration-check.v1', problems: found })}\n`);
process.exitCode = found.length === 0 ? 0 : 2;
