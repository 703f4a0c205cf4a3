#!/usr/bin/env node
import { createGatewayDatabase } from '@launch/prisma-api-gateway';
import { ConfigError, createPool, databaseUrl, loadConfig, secretTextFile } from '@launch/platform';
import { z } from 'zod';
import { CredentialRepository } from '../credentials/credential.repository.js';
import { CredentialService } from '../credentials/credential.service.js';
import { readCommand, USAGE, UsageError } from './admin.command.js';
import { runCommand } from './admin.run.js';

const EXIT = { ok: 0, usage: 2, notFound: 5, unavailable: 8 } as const;

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if (command.name === 'help') {
    process.stdout.write(USAGE);
    return EXIT.ok;
  }
  const config = loadConfig(
    z.object({ DATABASE_URL: databaseUrl(), CREDENTIAL_PEPPER_FILE: secretTextFile({ minLength: 32 }) }),
  );
  const database = createGatewayDatabase(
    createPool({ connectionString: config.DATABASE_URL, applicationName: 'launch-admin', max: 2 }),
  );
  try {
    const service = new CredentialService(new CredentialRepository(database), config.CREDENTIAL_PEPPER_FILE, {
      now: () => Date.now(),
    });
    const { output, found } = await runCommand(service, command);
    process.stdout.write(output);
    return found ? EXIT.ok : EXIT.notFound;
  } finally {
    await database.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof ConfigError;
  process.stderr.write(
    `launch-admin: ${isUsage ? error.message : 'the database did not do it'}\n${error instanceof UsageError ? USAGE : ''}`,
  );
  process.exitCode = isUsage ? EXIT.usage : EXIT.unavailable;
}
