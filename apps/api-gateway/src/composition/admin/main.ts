#!/usr/bin/env node
import { endProgram, type Printed } from '@launch/client-core/command';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import {
  ConfigError,
  createPool,
  databaseUrl,
  loadConfig,
  secretTextFile,
  temporalFields,
  type Secret,
} from '@launch/platform';
import { z } from 'zod';
import { CredentialRepository } from '../../core/accounts/credentials/credential.repository.js';
import { CredentialService } from '../../core/accounts/credentials/credential.service.js';
import { HeldRecordsRepository } from '../../core/feeds/held-records.repository.js';
import { LaunchGatesRepository } from '../../core/gates/launch-gates.repository.js';
import { modulesFields } from '../configuration/modules.fields.js';
import { isGateCommand, isRecordCommand, isWorkerCommand, readCommand, type AdminCommand } from './admin.command.js';
import { runCommand, type Outcome } from './admin.run.js';
import { runGateCommand } from './gates.run.js';
import { runRecordCommand } from './records.run.js';
import { UsageError, WorkersError } from './admin.errors.js';
import type { WorkerCommand } from './worker.command.js';

const EXIT = { ok: 0, usage: 2, notFound: 5, unavailable: 8, output: 11 } as const;

const databaseField = { DATABASE_URL: databaseUrl() };
const rowsConfig = z.object(databaseField);
const temporalConfig = z.object({ ...temporalFields(NAMESPACES.launches), ...modulesFields });
const keysConfig = z.object({ ...databaseField, CREDENTIAL_PEPPER_FILE: secretTextFile({ minLength: 32 }) });

async function inDatabase<T>(url: Secret<string>, work: (database: GatewayDatabase) => Promise<T>): Promise<T> {
  const database = createGatewayDatabase(
    createPool({ connectionString: url, applicationName: 'launch-admin', max: 2 }),
  );
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Runs a command about workers. Loads Temporal's client here, since loading takes half a second. */
async function aboutWorkers(command: WorkerCommand): Promise<Outcome> {
  const config = loadConfig(temporalConfig);
  const { runWorkerCommandOn } = await import('./workers.run.js');
  return runWorkerCommandOn(config, command);
}

async function carryOut(command: Exclude<AdminCommand, { readonly name: 'help' }>): Promise<Outcome> {
  if (isWorkerCommand(command)) return aboutWorkers(command);
  if (isGateCommand(command)) {
    const { DATABASE_URL } = loadConfig(rowsConfig);
    return inDatabase(DATABASE_URL, (database) => runGateCommand(new LaunchGatesRepository(database), command));
  }
  if (isRecordCommand(command)) {
    const { DATABASE_URL } = loadConfig(rowsConfig);
    return inDatabase(DATABASE_URL, (database) => runRecordCommand(new HeldRecordsRepository(database), command));
  }
  const { DATABASE_URL, CREDENTIAL_PEPPER_FILE } = loadConfig(keysConfig);
  const clock = { now: () => Date.now() };
  return inDatabase(DATABASE_URL, (database) =>
    runCommand(new CredentialService(new CredentialRepository(database), CREDENTIAL_PEPPER_FILE, clock), command),
  );
}

async function main(argv: readonly string[]): Promise<Printed> {
  try {
    const command = readCommand(argv);
    if (command.name === 'help') return { exitCode: EXIT.ok, stdout: command.text, stderr: '' };
    const { output, found } = await carryOut(command);
    return { exitCode: found ? EXIT.ok : EXIT.notFound, stdout: output, stderr: '' };
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof ConfigError;
    const message = isUsage || error instanceof WorkersError ? error.message : 'the database did not do it';
    const exitCode = isUsage ? EXIT.usage : EXIT.unavailable;
    return { exitCode, stdout: '', stderr: `launch-admin: ${message}\n` };
  }
}

endProgram(await main(process.argv.slice(2)), (fault) => ({
  exitCode: EXIT.output,
  stderr: `launch-admin: the command was carried out, but ${fault}\n`,
}));
