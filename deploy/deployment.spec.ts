import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { WORKER_DEPLOYMENTS } from '../apps/api-gateway/src/composition/admin/worker.command.js';
import { REVIEW_CONSOLE_PROGRAM } from '../tools/start/src/program-bundles.js';
import { compose, DOCKERFILE, nodeImage, OURS, parse, read, root, type Compose, type ComposeService } from './compose.fixture.js';

const services = Object.entries(compose.services);
const secretsOf = ({ secrets = [] }: ComposeService): string[] => secrets.map((one) => (typeof one === 'string' ? one : one.source));
/** Services that are a further program of another service's image. */
const IMAGE_OF: Readonly<Record<string, string>> = { 'promote-workers': 'api-gateway', 'review-console': 'api-gateway', 'temporal-ui-proxy': 'api-gateway' };
const PAYLOAD_KEYS = './deploy/payload-keys/launches:/run/launch/payload-keys/launches:ro';
const MODULES_PAYLOAD_KEYS = './deploy/payload-keys/modules:/run/launch/payload-keys/modules:ro';
const isJob = (name: string): boolean => /^migrate-|^temporal-(schema|namespace)$|^promote-workers$/.test(name);

/** An official image is pinned to its release and to its bytes, and can be replaced by a local one; our own carry the release's name. */
const PINNED = /^(\$\{[A-Z_]+_IMAGE:-[\w/-]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}\}|launch\/[\w-]+:\$\{LAUNCH_VERSION:-local\})$/;

describe.each(services)('The service %s', (name, service) => {
  it('runs as an ordinary user, on a root it cannot write, with no capability', () => {
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
    expect(service.tmpfs?.some((mount) => mount.startsWith('/tmp:'))).toBe(true);
  });

  it('has a limit of memory', () => {
    expect(service.mem_limit).toMatch(/^(\d+[mg]|\$\{[A-Z]+_MEMORY:-\dg\})$/);
  });

  it('is pinned by digest, unless it is built here', () => {
    expect(service.image).toMatch(PINNED);
    expect(service.image.includes('@sha256:')).toBe(service.build === undefined);
  });

  it('receives secrets as files only, never in its environment', () => {
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|SECRET|TOKEN(?!_LABEL)|PEPPER|_KEYS?(?!_DAYS|_ID)|PGPASS|_PIN/.test(variable) && !variable.includes('PUBLIC_KEY'))
        expect([variable, value]).toEqual([expect.stringMatching(/FILES?$/), expect.stringMatching(/^(\/run\/|\$\{[A-Z0-9_]+_FILES?:-\}$)/)]);
      // An observer's URL may carry a key wherever its operator put one; a database's has its password in a file.
      if (value === 'http://api-gateway:8080') expect([name, variable]).toEqual(['site', 'GATEWAY_URL']);
      else if (variable === 'PUBLIC_GATEWAY_URL') expect(name).toBe('site');
      else if (value.includes('://') && !value.startsWith('passthrough:///')) expect([variable, value]).toEqual(['DATABASE_URL', expect.stringMatching(/^postgresql:\/\/[a-z_]+@[a-z-]+:5432\/[a-z_]+$/)]);
      expect([variable, /^RPC_\w+_URLS$/.test(variable)]).toEqual([variable, false]);
    }
    for (const secret of secretsOf(service)) expect(compose.secrets).toHaveProperty([secret]);
    const named = Object.values(service.environment ?? {}).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []);
    expect(secretsOf(service)).toEqual(expect.arrayContaining(named));
  });

  it('is published on this machine only, unless the operator configures another address', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^(127\.0\.0\.1|\$\{(GATEWAY|REVIEWER|SITE|CODEC)_BIND:-127\.0\.0\.1\}):/);
  });

  it('waits for its dependencies by condition', () => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(compose.services).toHaveProperty([other]);
      expect(condition).toBe(isJob(other) ? 'service_completed_successfully' : 'service_healthy');
    }
  });

  it('is a target of the Dockerfile if it is built here', () => {
    if (service.build === undefined) return;
    expect(service.build).toMatchObject({ context: '.', dockerfile: DOCKERFILE });
    expect(service.build.args).toMatchObject({ SOURCE_COMMIT: '${SOURCE_COMMIT:-}', NODE_IMAGE: `\${NODE_IMAGE:-${nodeImage}}` });
    const imageOf = IMAGE_OF[name];
    if (imageOf !== undefined) expect([service.image, service.build]).toEqual([compose.services[imageOf]?.image, compose.services[imageOf]?.build]);
    else if (OURS.includes(name)) expect(service.build.target).toBe(name);
    else {
      const database = service.build.args['DATABASE'] ?? '-';
      expect([name, service.build.target]).toEqual([`migrate-${database}`, 'migrate']);
      expect(existsSync(path.join(root, 'prisma', database, 'migrations'))).toBe(true);
    }
  });
});

describe('the promotion of worker versions', () => {
  it('runs once every worker that hosts workflows is healthy, with no secret but its token, and before the gateway', () => {
    const job = compose.services['promote-workers'] as ComposeService;
    expect(job.command?.slice(1, 4)).toEqual(['apps/api-gateway/dist/composition/admin/main.js', 'workers', 'promote']);
    expect(Object.keys(job.depends_on ?? {}).sort()).toEqual([...WORKER_DEPLOYMENTS].sort());
    expect(secretsOf(job)).toEqual(['temporal-token-promote-workers']);
    expect(compose.services['api-gateway']?.depends_on).toHaveProperty('promote-workers');
  });
});

describe('the review console', () => {
  const reviewers = compose.services['review-console'] as ComposeService;

  it('runs its own program of the gateway’s image, and is checked and published on its own port', () => {
    expect(reviewers.command).toEqual(['node', REVIEW_CONSOLE_PROGRAM]);
    const port = reviewers.environment?.['PORT'];
    // The image's check asks the port in `PORT`.
    expect(reviewers.healthcheck).toBeUndefined();
    expect(reviewers.ports).toEqual([expect.stringMatching(new RegExp(`:${port}$`))]);
    expect(compose.services['api-gateway']?.ports).toEqual([expect.stringMatching(/^\$\{GATEWAY_BIND:/)]);
  });

  it('has no observer, context or signing key, and shares with the gateway only the secrets that verify keys and seal cursors', () => {
    expect(secretsOf(reviewers).sort()).toEqual(['credential-pepper', 'cursor-key', 'review-console-pgpass', 'temporal-token-review-console']);
    expect(services.filter(([, service]) => secretsOf(service).includes('review-console-pgpass')).map(([name]) => name)).toEqual(['review-console']);
    expect(Object.keys(reviewers.environment ?? {}).filter((name) => /^(RPC|LAUNCH|CUSTOM|ANSWER|INDEX)_/.test(name))).toEqual([]);
    expect(reviewers.volumes).toEqual(['blobs:/var/lib/launch/blobs', 'build-results:/var/lib/launch/build-results:ro', MODULES_PAYLOAD_KEYS]);
    expect(reviewers.networks).toEqual(['services', 'reviewers']);
    expect(services.filter(([, { networks }]) => networks.includes('reviewers')).map(([name]) => name)).toEqual(['review-console']);
  });
});

describe('custody', () => {
  const custody = compose.services['permit-custody'] as ComposeService;

  it('is on an internal network, with only its database, its migration, Temporal and the collection of blobs, which runs by its profile', () => {
    expect(custody.networks).toEqual(['custody']);
    expect(compose.networks['custody']).toEqual({ internal: true });
    const there = services.filter(([, { networks }]) => networks.includes('custody')).map(([name]) => name);
    expect(there.sort()).toEqual(['blob-collector', 'custody-postgres', 'migrate-custody', 'permit-custody', 'temporal']);
    expect(custody.ports).toBeUndefined();
  });

  it('shares no secret with another service: its migration has a role of its own, which owns the tables', () => {
    const holders = (secret: string): string[] => services.filter(([, service]) => secretsOf(service).includes(secret)).map(([name]) => name).sort();
    expect(holders('permit-key')).toEqual(['permit-custody']);
    expect(holders('custody-pgpass')).toEqual(['permit-custody']);
    expect(holders('custody-owner-pgpass')).toEqual(['migrate-custody']);
    expect(holders('custody-postgres-superuser')).toEqual(['custody-postgres']);
    expect(holders('custody-postgres-roles')).toEqual(['custody-postgres']);
    expect(secretsOf(custody).sort()).toEqual(['custody-pgpass', 'permit-key', 'temporal-token-permit-custody']);
    expect(holders('admission-signing-key')).toEqual(['admission-worker']);
    expect(holders('finality-signing-key')).toEqual(['finality-worker']);
  });

  it('only reads the blob store, and the contexts of earlier releases', () => {
    expect(custody.volumes).toEqual([
      'blobs:/var/lib/launch/blobs:ro',
      './deploy/previous-contexts:/run/launch/previous-contexts:ro',
      './deploy/custom-launch:/run/launch/custom-launch:ro',
      PAYLOAD_KEYS,
    ]);
    expect(custody.environment?.['PREVIOUS_CONTEXTS_DIR']).toBe('/run/launch/previous-contexts');
    // There from the first start: an engine that makes the folder makes it for root.
    expect(custody.environment?.['PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR']).toBe('/run/launch/custom-launch/previous');
    for (const folder of ['previous-contexts', 'custom-launch', 'custom-launch/previous', 'payload-keys/launches', 'payload-keys/modules', 'custody-signer']) expect([folder, existsSync(path.join(root, 'deploy', folder, '.gitignore'))]).toEqual([folder, true]);
  });

  it('has no observer, because it never reads a chain', () => {
    expect(Object.keys(custody.environment ?? {}).filter((name) => name.startsWith('RPC_'))).toEqual([]);
  });
});

describe('the context of custom launches and plans', () => {
  it.each(OURS.filter((name) => !/^(module-|indexer$|site$|codec-server$|blob-collector$)/.test(name)))('reaches %s as a file in a folder that the service only reads', (name) => {
    const { environment, volumes } = compose.services[name] as ComposeService;
    expect(environment?.['CUSTOM_LAUNCH_CONTEXT_FILE']).toBe('${CUSTOM_LAUNCH_CONTEXT_FILE:-}');
    expect(volumes).toContain('./deploy/custom-launch:/run/launch/custom-launch:ro');
    expect(read('deploy/README.md')).toContain('`CUSTOM_LAUNCH_CONTEXT_FILE=/run/launch/custom-launch/context.json`');
  });

  it.each(['admission-worker', 'permit-custody'])('is also available from an earlier release for %s, which judges its open requests', (name) => {
    expect(compose.services[name]?.environment?.['PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR']).toBe('/run/launch/custom-launch/previous');
  });

  it.each(['api-gateway', 'admission-worker', 'finality-worker'])('has price feeds on both chains, whose observers %s knows', (name) => {
    for (const chain of ['4663', '1']) expect(compose.services[name]?.environment?.[`RPC_${chain}_URLS_FILE`]).toBe(`/run/secrets/rpc-${chain}-urls`);
  });
});

describe('the builder of modules', () => {
  const builder = compose.services['module-builder'] as ComposeService;

  it('has no database, no secret but its signing key and its token, and reaches only Temporal', () => {
    expect(builder.environment).not.toHaveProperty('DATABASE_URL');
    expect(secretsOf(builder).sort()).toEqual(['build-signing-key', 'temporal-token-module-builder']);
    expect(services.filter(([, service]) => secretsOf(service).includes('build-signing-key')).map(([name]) => name)).toEqual(['module-builder']);
    expect(compose.networks['builder']).toEqual({ internal: true });
    expect(services.filter(([, { networks }]) => networks.includes('builder')).map(([name]) => name).sort()).toEqual(['module-builder', 'temporal']);
    expect(builder.networks).toEqual(['builder']);
    expect(builder.ports).toBeUndefined();
  });
});

describe('the results of builds', () => {
  it('are written by the builder alone, which writes nothing else, and mounted by no other service but their reader and the collection', () => {
    const mounts = services.flatMap(([name, { volumes = [] }]) => volumes.filter((one) => one.startsWith('build-results:')).map((one) => [name, one.slice('build-results:'.length)]));
    expect(Object.fromEntries(mounts)).toEqual({
      'module-builder': '/var/lib/launch/build-results',
      'review-console': '/var/lib/launch/build-results:ro',
      'blob-collector': '/var/lib/launch/build-results',
      blobs: '/var/lib/launch/blobs/build-results:nocopy',
    });
    expect(compose.services['module-builder']?.volumes).toContain('blobs:/var/lib/launch/blobs:ro');
  });
});

describe('the website', () => {
  const site = compose.services['site'] as ComposeService;

  it('has no secret and no volume, reaches no database owner, and the API does not wait for it', () => {
    expect(secretsOf(site)).toEqual([]);
    expect(site.volumes).toBeUndefined();
    expect(Object.keys(site.environment ?? {}).filter((name) => /DATABASE|TEMPORAL|RPC|BLOB|KEY/.test(name))).toEqual([]);
    const waiting = services.filter(([, { depends_on: on = {} }]) => 'site' in on).map(([name]) => name);
    expect(waiting).toEqual([]);
  });

  it('sends browsers to the public origin, or to the published port of the gateway, and never into the private network', () => {
    const { PUBLIC_GATEWAY_URL: address = '' } = site.environment ?? {};
    const [, port] = /^\$\{PUBLIC_ORIGIN:-http:\/\/localhost:(\$\{GATEWAY_PORT:-\d+\})\}$/.exec(address) ?? [];
    expect(compose.services['api-gateway']?.ports).toEqual([expect.stringContaining(`:${port}:8080`)]);
  });
});

describe('The gateway and the review console', () => {
  it('have the same quotas, because they count callers in one database', () => {
    const [gateway, console] = ['api-gateway', 'review-console'].map((name) => compose.services[name]?.environment?.['RATE_LIMITS']);
    expect(gateway).toBe('${RATE_LIMITS:-}');
    expect(console).toBe(gateway);
  });
});

describe('a remote signer of custody', () => {
  const file = 'deploy/compose.remote-signer.yml';
  /** Compose's own tags, which replace or remove a value of the first file. */
  const customTags = ['!override', '!reset'].map((tag) => ({ tag, collection: tag === '!override' ? ('seq' as const) : undefined, resolve: (value: unknown) => value }));
  const remote = parse(read(file), { merge: true, customTags }) as { services: Readonly<Record<string, Partial<ComposeService>>>; networks: Compose['networks'] };

  it('changes custody alone: a network with a way out that no other service joins, and no key file', () => {
    expect(Object.keys(remote.services)).toEqual(['permit-custody']);
    expect(remote.networks).toEqual({ signer: {} });
    expect(compose.networks).not.toHaveProperty('signer');
    expect(read(file)).toContain('PERMIT_KEY_FILE: !reset null');
    expect(read(file)).toContain('secrets: !override [custody-pgpass]');
    // A key behind PKCS#11 needs an image of the operator; any other has the image of the release.
    expect(remote.services['permit-custody']?.image).toBe(`\${CUSTODY_IMAGE:-${compose.services['permit-custody']?.image}}`);
    expect(remote.services['permit-custody']).toMatchObject({ networks: ['custody', 'signer'], volumes: ['./deploy/custody-signer:/run/launch/custody-signer:ro'] });
  });
});

describe('the codec server', () => {
  const codec = compose.services['codec-server'] as ComposeService;

  it('starts only by its profile, and reaches neither Temporal nor a database', () => {
    expect(codec.profiles).toEqual(['codec-server']);
    expect(codec.networks).toEqual(['operators']);
    expect(services.filter(([, { networks }]) => networks.includes('operators')).map(([name]) => name)).toEqual(['codec-server']);
    expect([codec.volumes, secretsOf(codec), codec.depends_on]).toEqual([[PAYLOAD_KEYS, MODULES_PAYLOAD_KEYS], [], undefined]);
    const others = services.filter(([, { profiles }]) => profiles !== undefined && profiles[0] !== 'codec-server');
    expect(others.map(([name]) => name).sort()).toEqual(['blob-collector', 'blobs']);
  });

  it('shares the payload keys of each namespace with the services that read or write its histories alone', () => {
    const holders = (folder: string): string[] => services.filter(([, { volumes = [] }]) => volumes.includes(folder)).map(([name]) => name).sort();
    const readers = (value: string): string[] => services.filter(([, { environment = {} }]) => Object.values(environment).includes(value)).map(([name]) => name);
    expect(holders(PAYLOAD_KEYS)).toEqual(['codec-server', ...readers('${TEMPORAL_PAYLOAD_KEYS_FILE:-}')].sort());
    expect(holders(MODULES_PAYLOAD_KEYS)).toEqual(['codec-server', ...readers('${TEMPORAL_MODULES_PAYLOAD_KEYS_FILE:-}')].sort());
  });
});

describe('the collection of blobs', () => {
  const collector = compose.services['blob-collector'] as ComposeService;

  it('runs only by its profile, and alone holds the roles that read every database', () => {
    expect(collector).toMatchObject({ profiles: ['blob-collector'], networks: ['services', 'custody'], volumes: ['blobs:/var/lib/launch/blobs', 'build-results:/var/lib/launch/build-results'] });
    expect([collector.ports, collector.command]).toEqual([undefined, undefined]);
    const urls = Object.keys(compose.secrets).filter((name) => name.startsWith('collector-'));
    expect(urls).toHaveLength(6);
    expect(secretsOf(collector).sort()).toEqual(urls.sort());
    for (const url of urls) expect(services.filter(([, service]) => secretsOf(service).includes(url)).map(([name]) => name)).toEqual(['blob-collector']);
  });
});

describe('the tool of backups', () => {
  it('sees the blobs and nothing else, and starts only by its profile', () => {
    const tool = compose.services['blobs'] as ComposeService;
    expect(tool).toMatchObject({ profiles: ['backup'], networks: ['backup'], volumes: ['blobs:/var/lib/launch/blobs:nocopy', 'build-results:/var/lib/launch/blobs/build-results:nocopy'], image: compose.services['postgres']?.image });
    expect(compose.networks['backup']).toEqual({ internal: true });
    expect([tool.environment, secretsOf(tool), services.filter(([, { networks }]) => networks.includes('backup')).length]).toEqual([undefined, [], 1]);
  });
});

describe('The databases', () => {
  it('have one role per service, and no service holds the password of another', () => {
    for (const secret of ['gateway-pgpass', 'admission-pgpass', 'finality-pgpass', 'module-review-pgpass', 'indexer-pgpass']) {
      const holders = services.filter(([, service]) => secretsOf(service).includes(secret)).map(([, { environment }]) => environment?.['DATABASE_URL']);
      expect(holders).toHaveLength(2);
      expect(new Set(holders).size).toBe(1);
    }
  });
});

describe('The variables', () => {
  /** Fields that the gateway and the review console share. */
  const LISTENER_FIELDS = 'apps/api-gateway/src/composition/configuration/listener.fields.ts';
  const MODULES_FIELDS = 'apps/api-gateway/src/composition/configuration/modules.fields.ts';
  const CONFIGS: Readonly<Record<string, string>> = {
    'api-gateway': 'apps/api-gateway/src/composition/configuration/gateway.config.ts',
    'review-console': 'apps/api-gateway/src/composition/review-console/review-console.config.ts',
    'admission-worker': 'apps/admission-worker/src/config.ts',
    'permit-custody': 'apps/permit-custody/src/config.ts',
    'finality-worker': 'apps/finality-worker/src/config.ts',
    'module-builder': 'apps/module-builder/src/config.ts',
    'module-review': 'apps/module-review/src/config.ts',
    indexer: 'apps/indexer/src/config.ts',
    'codec-server': 'apps/codec-server/src/config.ts',
    'blob-collector': 'apps/blob-collector/src/config.ts',
    site: 'apps/site/server/site.config.ts',
  };
  const namesIn = (file: string): string[] => [...read(file).matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name as string);
  const shared = [...namesIn('libs/platform/src/config/fields.ts'), ...namesIn('apps/permit-custody/src/signer/signer.fields.ts')];
  const fieldsOf = (name: string, file: string): string[] => [...namesIn(file), ...(name === 'api-gateway' ? [LISTENER_FIELDS, MODULES_FIELDS] : name === 'review-console' ? [LISTENER_FIELDS] : []).flatMap(namesIn)];

  it.each(Object.entries(CONFIGS))('that Compose sets for %s are read by that service', (name, file) => {
    const known = new Set([...shared, 'METRICS_PORT', 'PGPASSFILE', ...fieldsOf(name, file)]);
    expect(known.size).toBeGreaterThan(10);
    for (const variable of Object.keys(compose.services[name]?.environment ?? {})) {
      expect([variable, known.has(variable) || known.has(variable.replace(/_FILE$/, ''))]).toEqual([variable, true]);
    }
  });

  it('that .env.example names can be set for each service, but those that Compose or the image decides', () => {
        /** Compose's own Temporal and networks, and folders that the image contains. */
    const decided =
      /^(TEMPORAL_(TLS|SERVER_NAME|API_KEY_FILE|CA_FILE|CLIENT_CERT_FILE|CLIENT_KEY_FILE|DEPLOYMENT_NAME|WORKER_BUILD_ID)|OPERATIONS_HOST|(DOWNLOADS|LAUNCH_CLI|INDEX_READER|DOCUMENTS|MODULE_CLI)_DIR)$/;
    const absent: string[] = [];
    for (const [, readers = '', name = ''] of read('.env.example').matchAll(/^# \[([^\]]+)\].*\n([A-Z][A-Z0-9_]*)=/gm)) {
      const except = readers.replace(/^all( but )?/, '').split(', ');
      const services = readers.startsWith('all') ? Object.keys(CONFIGS).filter((service) => !except.includes(service)) : readers.split(', ');
      for (const service of services.filter((one) => one in CONFIGS)) {
        const environment = compose.services[service]?.environment ?? {};
        if (!decided.test(name) && !(name in environment) && !(`${name}_FILE` in environment)) absent.push(`${service}: ${name}`);
      }
    }
    expect(absent).toEqual([]);
  });

  it('that a service reads are documented', () => {
    const documented = `${read('deploy/README.md')}${read('apps/api-gateway/README.md')}`;
    const undocumented = new Set([...shared, ...[...Object.values(CONFIGS), LISTENER_FIELDS, MODULES_FIELDS].flatMap(namesIn)].filter((name) => !documented.includes(`\`${name}\``)));
    expect([...undocumented]).toEqual([]);
  });

  it('that the tables name are read by a service', () => {
    const known = new Set([...shared, ...[...Object.values(CONFIGS), LISTENER_FIELDS, MODULES_FIELDS].flatMap(namesIn), 'METRICS_PORT']);
    const rows = ['deploy/README.md', 'apps/api-gateway/README.md', 'docs/guides/finality.md'].flatMap((file) => read(file).split('\n').filter((line) => /^\| `[A-Z]/.test(line)));
    const named = rows.flatMap((row) => [...(row.split('|')[1] as string).matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name as string));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('that Compose substitutes are named by the guide', () => {
    for (const [, name] of read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)/g)) expect(read('deploy/README.md')).toContain(`\`${name}\``);
  });
});
