import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CUSTODY_ENDPOINT, TASK_QUEUES } from '@launch/contracts/orchestration';
import { CALLS } from '../tools/temporal/src/nexus-endpoints.js';
import { TOKEN_HOLDERS } from './cli/src/secrets/temporal-tokens.js';
import type { Compose, ComposeService } from './compose.fixture.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

// Nx's own parser: nothing else in the repository reads YAML.
const require = createRequire(import.meta.url);
const { parse } = createRequire(require.resolve('nx/package.json'))('yaml') as { parse: (text: string, options: { merge: boolean }) => unknown };
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const secretsOf = ({ secrets = [] }: ComposeService): string[] => secrets.map((one) => (typeof one === 'string' ? one : one.source));

describe('The Temporal namespaces', () => {
  it('have one of custody, which answers workflows of launches alone', () => {
    const inCustody = services.filter(([, { environment = {} }]) => environment['TEMPORAL_NAMESPACE'] === 'custody').map(([name]) => name);
    expect(inCustody).toEqual(['permit-custody']);
    expect(compose.services['permit-custody']?.environment?.['TEMPORAL_LAUNCHES_NAMESPACE']).toBe(compose.services['admission-worker']?.environment?.['TEMPORAL_NAMESPACE']);
    const script = read('deploy/temporal/namespace.sh');
    expect(script).toContain(`--name ${CUSTODY_ENDPOINT} --target-namespace "$custody" --target-task-queue ${TASK_QUEUES.custody}`);
    // The development server has the same settings of calls.
    const settings = parse(read('deploy/temporal/dynamic-config.yaml'), { merge: false }) as Readonly<Record<string, readonly { readonly value: unknown }[]>>;
    for (const [key, value] of Object.entries(CALLS)) expect([key, [...[settings[key]?.[0]?.value].flat()].sort()]).toEqual([key, [value].flat().sort()]);
  });

  it('have one of modules, with the builder and the reviews, and nothing of launches', () => {
    const inModules = services.filter(([, { environment = {} }]) => environment['TEMPORAL_NAMESPACE'] === 'modules').map(([name]) => name);
    expect(inModules.sort()).toEqual(['module-builder', 'module-review', 'review-console']);
    const both = services.filter(([, { environment = {} }]) => 'TEMPORAL_MODULES_NAMESPACE' in environment).map(([name]) => name);
    expect(both.sort()).toEqual(['api-gateway', 'promote-workers']);
  });
});

describe('The tokens for Temporal', () => {
  it.each(TOKEN_HOLDERS.filter((holder) => holder !== 'operator' && holder !== 'autoscaler'))('give %s its own, which no other service has', (holder) => {
    const holders = services.filter(([, service]) => secretsOf(service).includes(`temporal-token-${holder}`)).map(([name]) => name);
    expect(holders).toEqual([holder]);
    expect(compose.services[holder]?.environment?.['TEMPORAL_API_KEY_FILE']).toBe(`/run/secrets/temporal-token-${holder}`);
  });

  it('give the operator’s to the job that prepares Temporal and to the UI of this machine', () => {
    const holders = services.filter(([, service]) => secretsOf(service).includes('temporal-token-operator')).map(([name]) => name);
    expect(holders.sort()).toEqual(['temporal-namespace', 'temporal-ui-proxy']);
    expect(compose.services['temporal-ui-proxy']?.ports).toEqual(['127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080']);
    expect(compose.services['temporal-ui']?.ports).toBeUndefined();
  });

  it('are verified by the server, whose internal frontend no other container reaches', () => {
    const { global, services: parts } = parse(read('deploy/temporal/server.yaml'), { merge: false }) as { global: { authorization: object }; services: Readonly<Record<string, { rpc: object }>> };
    expect(global.authorization).toMatchObject({ authorizer: 'default', claimMapper: 'default', jwtKeyProvider: { keySourceURIs: ['file:///run/secrets/temporal-jwks'] } });
    expect(secretsOf(compose.services['temporal'] as ComposeService)).toContain('temporal-jwks');
    expect(compose.services['temporal']?.environment?.['TEMPORAL_SERVICES']?.split(',').sort()).toEqual(Object.keys(parts).sort());
    for (const name of Object.keys(parts).filter((one) => one !== 'frontend')) expect([name, parts[name]?.rpc]).toEqual([name, expect.objectContaining({ bindOnLocalHost: true })]);
  });
});
