import { Inject, Injectable } from '@nestjs/common';
import type { Credential, GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

/** What of a key's row every authenticated request needs. */
export type LiveCredential = Pick<Credential, 'credentialId' | 'lineageId' | 'generation' | 'controller' | 'scopes' | 'chains' | 'label' | 'secretMac' | 'expiresAt' | 'revokedAt'>;

const FIND = `SELECT credential_id AS "credentialId", lineage_id AS "lineageId", generation, controller, scopes, chains, label,
  secret_mac AS "secretMac", expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM credential WHERE credential_id = $1`;

/** Rows of API keys. */
@Injectable()
export class CredentialRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async find(credentialId: string): Promise<LiveCredential | null> {
    const [row] = await this.database.query<LiveCredential & Record<string, unknown>>(FIND, [credentialId]);
    return row ?? null;
  }

  async insert(row: Omit<Credential, 'createdAt' | 'revokedAt'>): Promise<void> {
    await this.database.prisma.credential.create({ data: { ...row, secretMac: Uint8Array.from(row.secretMac) } });
  }

  async list(): Promise<readonly Credential[]> {
    return this.database.prisma.credential.findMany({ orderBy: [{ createdAt: 'asc' }, { credentialId: 'asc' }] });
  }

  /** Ends a key now; true when it was alive. */
  async revoke(credentialId: string, at: Date): Promise<boolean> {
    const { count } = await this.database.prisma.credential.updateMany({
      where: { credentialId, revokedAt: null },
      data: { revokedAt: at },
    });
    return count === 1;
  }

  /** Lets a replaced key live on for its grace, unless it ends sooner already. */
  async endAt(credentialId: string, at: Date): Promise<void> {
    await this.database.prisma.credential.updateMany({
      where: { credentialId, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] },
      data: { expiresAt: at },
    });
  }
}
