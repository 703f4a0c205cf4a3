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
  it('applies defaults, treats empty values as absent and keeps only the schema’s variables', () => {
    const config = loadConfig(z.object({ ...workerFields, ...temporalFields('launches') }), {
      LOG_LEVEL: '',
      METRICS_PORT: '9000',
      OTHER: 'x',
    });
    expect(config).toEqual({
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      METRICS_PORT: 9000,
      OTEL_TRACES_SAMPLER_ARG: 1,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_NAMESPACE: 'launches',
      TEMPORAL_TLS: false,
    });
  });

  it('names every invalid variable and no value', () => {
    const message = problemsOf(
      z.object({ ...workerFields, DATABASE_URL: databaseUrl(), PEPPER_FILE: secretTextFile() }),
      {
        METRICS_PORT: '99999',
        DATABASE_URL: 'mysql://u:hunter2@h/db',
        PEPPER_FILE: '/nowhere/hunter2',
      },
    );
    expect(message).toMatch(/METRICS_PORT/);
    expect(message).toMatch(/DATABASE_URL/);
    expect(message).toMatch(/PEPPER_FILE/);
    expect(message).not.toMatch(/hunter2|99999/);
    expect(problemsOf(z.object({ DATABASE_URL: databaseUrl() }), {})).toMatch(/DATABASE_URL: is required/);
  });

  it('reads secrets from files and never prints them', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'launch-config-'));
    try {
      const file = path.join(folder, 'pepper');
      writeFileSync(file, 'hunter2hunter2\n');
      const { PEPPER_FILE: secret } = loadConfig(z.object({ PEPPER_FILE: secretTextFile({ minLength: 10 }) }), {
        PEPPER_FILE: file,
      });
      expect(secret.reveal()).toBe('hunter2hunter2');
      for (const shown of [
        String(secret),
        JSON.stringify({ secret }),
        inspect(secret),
        inspect({ secret }, { showHidden: true }),
      ])
        expect(shown).not.toContain('hunter2');
      writeFileSync(file, 'short');
      expect(problemsOf(z.object({ PEPPER_FILE: secretTextFile({ minLength: 10 }) }), { PEPPER_FILE: file })).toMatch(
        /too short/,
      );
      writeFileSync(file, 'x'.repeat(70_000));
      expect(problemsOf(z.object({ PEPPER_FILE: secretTextFile() }), { PEPPER_FILE: file })).toMatch(/at most 64 KiB/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads the value of any variable from the file that its _FILE names, and from one place only', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'launch-config-'));
    const schema = z.object({
      RPC_URLS: z.string(),
      DATABASE_URL: databaseUrl().optional(),
      PEPPER: z.string().optional(),
      PEPPER_FILE: secretTextFile().optional(),
    });
    const [file, empty] = [path.join(folder, 'urls'), path.join(folder, 'empty')] as const;
    try {
      writeFileSync(file, ' a=https://one.example/hunter2,b=https://two.example\r\n');
      writeFileSync(empty, ' \n');
      expect(loadConfig(schema, { RPC_URLS: '', RPC_URLS_FILE: file })).toEqual({
        RPC_URLS: 'a=https://one.example/hunter2,b=https://two.example',
      });
      expect(problemsOf(schema, { RPC_URLS: 'a', RPC_URLS_FILE: file })).toBe(
        'configuration: RPC_URLS_FILE: is given beside RPC_URLS; give one of them',
      );
      for (const wrong of [empty, folder, path.join(folder, 'absent')]) {
        expect(problemsOf(schema, { RPC_URLS_FILE: wrong })).toBe(
          'configuration: RPC_URLS_FILE: must name a readable file of at most 64 KiB that is not empty',
        );
      }
      expect(problemsOf(schema, { RPC_URLS: 'a', DATABASE_URL_FILE: file })).toMatch(
        /^configuration: DATABASE_URL: must be a URL with protocol [^;]*$/,
      );
      // A name that the schema itself declares keeps the schema's meaning.
      const { PEPPER, PEPPER_FILE } = loadConfig(schema, { RPC_URLS: 'a', PEPPER_FILE: file });
      expect([PEPPER, PEPPER_FILE]).toEqual([undefined, expect.anything()]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
