import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type FinalityDatabase = PrismaClient;

/** The only door to the finality database; the caller owns the pool's lifetime. */
export const openFinalityDatabase = (pool: pg.Pool): FinalityDatabase =>
  new PrismaClient({ adapter: new PrismaPg(pool) });
