import type { Credential } from '@launch/prisma-api-gateway';
import { credentialResource } from '../../core/accounts/credentials/credential.resource.js';
import type { CredentialService } from '../../core/accounts/credentials/credential.service.js';
import type { AdminCommand, GateCommand, RecordCommand } from './admin.command.js';
import type { WorkerCommand } from './worker.command.js';

type Work = Exclude<AdminCommand, GateCommand | RecordCommand | WorkerCommand | { readonly name: 'help' }>;

/** The output of a command, and whether it found the entity that it named. */
export interface Outcome {
  readonly output: string;
  readonly found: boolean;
}

/** Runs a command about keys or wallets; `found` is false when the named credential is not alive, or the wallet not blocked. */
export async function runCommand(service: CredentialService, command: Work): Promise<Outcome> {
  const print = (value: object, plain: string, found = true) => ({
    output: command.json ? `${JSON.stringify(value)}\n` : plain,
    found,
  });
  switch (command.name) {
    case 'issue': {
      const { kind, wallets, scopes, chain, label, expiresAt } = command;
      const [controller = ''] = wallets;
      const issued = await service.issue({
        ...(kind === 'partner' ? { kind, allowedControllers: wallets } : { controller }),
        scopes,
        chains: [chain],
        label,
        expiresAt,
      });
      return print(
        issued,
        `credential ${issued.credentialId}\nlineage    ${issued.lineageId}\nkey        ${issued.key}\n`,
      );
    }
    case 'rotate': {
      const issued = await service.rotate(command.credentialId, command.graceSeconds, command.expiresAt);
      if (issued === null) return print({ error: 'NOT_FOUND' }, 'no such living credential\n', false);
      return print(
        issued,
        `credential ${issued.credentialId}\nlineage    ${issued.lineageId}\nkey        ${issued.key}\n`,
      );
    }
    case 'revoke': {
      const revocation = await service.revoke(command.credentialId);
      if (revocation === null)
        return print({ credentialId: command.credentialId, revoked: false }, 'no such living credential\n', false);
      const { blockedWallet, livingKeys } = revocation;
      const blocked =
        blockedWallet === null
          ? ''
          : `${blockedWallet} gets no key by signing in, until wallets unblock\n${livingLine(livingKeys)}`;
      return print(
        { credentialId: command.credentialId, revoked: true, blockedWallet, livingKeys },
        `revoked\n${blocked}`,
      );
    }
    case 'list': {
      const credentials = (await service.list()).map((row) => describe(row, service.isAlive(row)));
      const lines = credentials.map(
        (one) =>
          `${one.credentialId}  ${one.status}  ${one.kind}  ${one.boundController ?? `${one.allowedControllers.length} wallets`}  ${one.scopes.join(',')}  ${one.label ?? ''}\n`,
      );
      return print({ credentials }, lines.join(''));
    }
    case 'block': {
      const { isNew, livingKeys } = await service.blockWallet(command.wallet);
      return print(
        { wallet: command.wallet, blocked: true, livingKeys },
        `${isNew ? 'blocked' : 'was blocked before'}\n${livingLine(livingKeys)}`,
      );
    }
    case 'unblock': {
      const unblocked = await service.unblockWallet(command.wallet);
      return print(
        { wallet: command.wallet, unblocked },
        unblocked ? 'unblocked\n' : 'this wallet is not blocked\n',
        unblocked,
      );
    }
    case 'list-blocked': {
      const wallets = (await service.listBlockedWallets()).map(({ controller, blockedAt, revokedCredential }) => ({
        wallet: controller,
        blockedAt: blockedAt.toISOString(),
        revokedCredential,
      }));
      return print(
        { wallets },
        wallets
          .map((one) => `${one.wallet}  ${one.blockedAt}  ${one.revokedCredential ?? 'by wallets block'}\n`)
          .join(''),
      );
    }
  }
}

const livingLine = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `keys of it that still live: ${keys.join(' ')}\n`;

/** Returns a key as an operator sees it: the holder's view with the operator's own members. */
const describe = (row: Credential, isAlive: boolean) => ({
  ...credentialResource(row, isAlive),
  origin: row.origin,
  label: row.label,
});
