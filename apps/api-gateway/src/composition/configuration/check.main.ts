// Says what the gateway would refuse of its environment and starts nothing: one line of JSON, the variables and never
// their values. Exit code 0 when the configuration holds, 2 when it does not.
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
