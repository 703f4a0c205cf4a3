import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type ModuleReviewDatabase = PrismaClient;

/** The only door to the database of module reviews; the caller owns the pool's lifetime. */
export const openModuleReviewDatabase = (pool: pg.Pool): ModuleReviewDatabase =>
  new PrismaClient({ adapter: new PrismaPg(pool) });
