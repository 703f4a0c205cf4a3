import { FileFault, readBoundedFile } from '@launch/client-core/command';
import { sha256Digest } from '@launch/contracts/primitives';
import { ModuleCliError } from './module-cli.error.js';
import { capabilitiesOf } from './reads.js';
import type { Outcome, Program, World } from './run-module-cli.js';
import { readService, type Options } from './settings.js';

/** Compares the running client with the digest that the service publishes for its version. */
export async function checkClient(options: Options, world: World): Promise<Outcome> {
  const { program } = world;
  const { status, value } = await capabilitiesOf(readService(options, world));
  const index = value.clients.findIndex(({ version }) => version === program.version);
  if (index === -1) throw ModuleCliError.own('MODULE_CLI_DIFFERS', { path: '/clients' });
  const contentSha256 = sha256Digest(readProgram(program));
  if (value.clients[index]!.contentSha256 !== contentSha256)
    throw ModuleCliError.own('MODULE_CLI_DIFFERS', { path: `/clients/${index}/contentSha256` });
  return {
    httpStatus: status,
    replayed: null,
    receiptBound: null,
    resource: { schemaVersion: 'service.modules.client-check.v1', version: program.version, contentSha256 },
  };
}

const MAX_PROGRAM_BYTES = 16 * 1024 * 1024;

function readProgram({ file }: Program): Uint8Array {
  const unreadable = ModuleCliError.own('MODULE_CLI_FILE', { path: 'module-cli.mjs' });
  try {
    return readBoundedFile(file, MAX_PROGRAM_BYTES, unreadable);
  } catch (error) {
    throw error instanceof FileFault ? unreadable : error;
  }
}
