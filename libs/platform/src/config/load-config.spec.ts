import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { databaseUrl, secretTextFile, temporalFields, workerFields } from './fields.js';
import { ConfigError, loadConfig } from './load-config.js';

function problemsOf(schema: z.ZodObject, env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('loadConfig', () => {
  it('gives defaults, turns empty into absent and keeps only what the schema names', () => {
    const config = loadConfig(z.object({ ...workerFields, ...temporalFields }), { LOG_LEVEL: '', METRICS_PORT: '9000', OTHER: 'x' });
    expect(config).toEqual({
      HOST: '127.0.0.1', LOG_LEVEL: 'info', METRICS_PORT: 9000, TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false,
    });
  });

  it('names every wrong variable and no value', () => {
    const message = problemsOf(z.object({ ...workerFields, DATABASE_URL: databaseUrl(), PEPPER_FILE: secretTextFile() }), {
      METRICS_PORT: '99999', DATABASE_URL: 'mysql://u:hunter2@h/db', PEPPER_FILE: '/nowhere/hunter2',
    });
    expect(message).toMatch(/METRICS_PORT/);
    expect(message).toMatch(/DATABASE_URL/);
    expect(message).toMatch(/PEPPER_FILE/);
    expect(message).not.toMatch(/hunter2|99999/);
    expect(problemsOf(z.object({ DATABASE_URL: databaseUrl() }), {})).toMatch(/DATABASE_URL: is required/);
  });

  it('reads secrets from files and does not show them', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'launch-config-'));
    try {
      const file = path.join(folder, 'pepper');
      writeFileSync(file, 'hunter2hunter2\n');
      const { PEPPER_FILE: secret } = loadConfig(z.object({ PEPPER_FILE: secretTextFile({ minLength: 10 }) }), { PEPPER_FILE: file });
      expect(secret.reveal()).toBe('hunter2hunter2');
      for (const shown of [String(secret), JSON.stringify({ secret }), inspect(secret), inspect({ secret }, { showHidden: true })]) expect(shown).not.toContain('hunter2');
      writeFileSync(file, 'short');
      expect(problemsOf(z.object({ PEPPER_FILE: secretTextFile({ minLength: 10 }) }), { PEPPER_FILE: file })).toMatch(/too short/);
      writeFileSync(file, 'x'.repeat(70_000));
      expect(problemsOf(z.object({ PEPPER_FILE: secretTextFile() }), { PEPPER_FILE: file })).toMatch(/at most 64 KiB/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
