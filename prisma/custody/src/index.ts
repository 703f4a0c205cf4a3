import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type { Decision, PermitSignature } from './generated/client.js';
export { mayRewriteDecisions } from './insert-only.js';

export type CustodyDatabase = PrismaClient;

/** The only door to the custody database; the caller owns the pool's lifetime. */
export const openCustodyDatabase = (pool: pg.Pool): CustodyDatabase =>
  new PrismaClient({ adapter: new PrismaPg(pool) });
