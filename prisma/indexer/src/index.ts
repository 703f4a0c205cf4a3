import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type IndexerDatabase = PrismaClient;

/** The only door to the indexer's database; the caller owns the pool's lifetime. */
export const openIndexerDatabase = (pool: pg.Pool): IndexerDatabase =>
  new PrismaClient({ adapter: new PrismaPg(pool) });
