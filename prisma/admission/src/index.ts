import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

export type AdmissionDatabase = PrismaClient;

/** The only door to the admission database; the caller owns the pool's lifetime. */
export const openAdmissionDatabase = (pool: pg.Pool): AdmissionDatabase =>
  new PrismaClient({ adapter: new PrismaPg(pool) });
