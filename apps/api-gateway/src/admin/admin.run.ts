import type { Credential } from '@launch/prisma-api-gateway';
import type { CredentialService } from '../credentials/credential.service.js';
import type { AdminCommand } from './admin.command.js';

type Work = Exclude<AdminCommand, { readonly name: 'help' }>;

/** Carries out a command; `found` is false when the credential it names is not alive. */
export async function runCommand(service: CredentialService, command: Work): Promise<{ readonly output: string; readonly found: boolean }> {
  const print = (value: object, plain: string, found = true) => ({ output: command.json ? `${JSON.stringify(value)}\n` : plain, found });
  switch (command.name) {
    case 'issue': {
      const { kind, wallets, scopes, chain, label, expiresAt } = command;
      const [controller = ''] = wallets;
      const issued = await service.issue({ ...(kind === 'partner' ? { kind, allowedControllers: wallets } : { controller }), scopes, chains: [chain], label, expiresAt });
      return print(issued, `credential ${issued.credentialId}\nlineage    ${issued.lineageId}\nkey        ${issued.key}\n`);
    }
    case 'rotate': {
      const issued = await service.rotate(command.credentialId, command.graceSeconds, command.expiresAt);
      if (issued === null) return print({ error: 'NOT_FOUND' }, 'no such living credential\n', false);
      return print(issued, `credential ${issued.credentialId}\nlineage    ${issued.lineageId}\nkey        ${issued.key}\n`);
    }
    case 'revoke': {
      const revoked = await service.revoke(command.credentialId);
      return print({ credentialId: command.credentialId, revoked }, revoked ? 'revoked\n' : 'no such living credential\n', revoked);
    }
    case 'list': {
      const credentials = (await service.list()).map((row) => describe(row, service.isAlive(row)));
      const lines = credentials.map((one) => `${one.credentialId}  ${one.status}  ${one.kind}  ${one.boundController ?? `${one.allowedControllers.length} wallets`}  ${one.scopes.join(',')}  ${one.label ?? ''}\n`);
      return print({ credentials }, lines.join(''));
    }
  }
}

/** A key as an operator sees it; nothing of its secret. */
const describe = (row: Credential, alive: boolean) => ({
  schemaVersion: 'service.custom-launch-credential.v1',
  credentialId: row.credentialId,
  lineageId: row.lineageId,
  generation: row.generation,
  kind: row.kind,
  origin: row.origin,
  scopes: row.scopes,
  chainGrants: row.chains,
  boundController: row.controller,
  allowedControllers: row.allowedControllers,
  label: row.label,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  rotatedFrom: row.rotatedFrom,
  status: row.revokedAt !== null ? 'revoked' : alive ? 'active' : 'expired',
});
