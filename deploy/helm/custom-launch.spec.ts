import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configSchema as siteSchema } from '../../apps/site/server/site.config.js';
import { configSchema as collectorSchema } from '../../apps/blob-collector/src/config.js';
import { WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import { WORKER_DEPLOYMENTS } from '../../apps/api-gateway/src/composition/admin/worker.command.js';
import { CHART, FURTHER_SETS, inputsOf, parseManifests, parseYaml, recordedInputs, renderedOf, valuesOf, VALUE_SETS } from './rendered.mjs';
import { valuesTable } from './values-table.mjs';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly ports?: readonly { readonly name: string; readonly containerPort: number; readonly hostPort?: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } } | undefined;
}
interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number };
  readonly projected?: { readonly defaultMode: number; readonly sources: readonly { readonly secret: { readonly name: string } }[] };
  readonly hostPath?: unknown;
}
interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly unknown[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
}
interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port: number | string }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

const RULES = path.join(CHART, '../../grafana/rules');
const COMPONENT = 'app.kubernetes.io/component';
/** The drain of a program, after which it ends by itself, in seconds (`Shutdown` of libs/platform). */
const OWN_DRAIN = 25;
const read = (file: string): string => readFileSync(file, 'utf8');
const setOf = (set: string) => parseManifests(read(renderedOf(set))) as readonly Manifest[];
const componentOf = ({ metadata }: Manifest): string => metadata.labels[COMPONENT] ?? '';
const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((one) => one.kind === kind);
const podOf = ({ kind, spec }: Manifest): Pod => {
  if (kind === 'Pod') return spec as unknown as Pod;
  const { template } = (kind === 'CronJob' ? (spec['jobTemplate'] as { spec: object }).spec : spec) as { template: { spec: Pod } };
  return template.spec;
};
const podsOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => ['Deployment', 'Job', 'CronJob', 'Pod'].includes(kind));
const containersOf = (pod: Pod) => [...(pod.initContainers ?? []), ...pod.containers];
const secretsOf = (pod: Pod): readonly string[] =>
  (pod.volumes ?? []).flatMap(({ secret, projected }) => [...(secret === undefined ? [] : [secret.secretName]), ...(projected?.sources ?? []).map((one) => one.secret.name)]);

/** Returns the members of a policy of one component. */
function policyOf(manifests: readonly Manifest[], component: string) {
  const [policy, ...others] = ofKind(manifests, 'NetworkPolicy').filter((one) => componentOf(one) === component && !one.metadata.name.endsWith('-deny'));
  expect([component, policy?.metadata.name, others]).toEqual([component, expect.any(String), []]);
  return policy!.spec as { readonly ingress: readonly Rule[]; readonly egress: readonly Rule[]; readonly policyTypes: readonly string[] };
}

/** The remote signer of custody in the values of a set. */
function signerOf(set: string): { readonly kind: string; readonly peers?: readonly Peer[] } {
  const values = parseYaml(read(valuesOf(set))) as { readonly permitSigner?: { readonly kind: string }; readonly networkPolicy: { readonly custodySigner?: { readonly peers: readonly Peer[] } } };
  return { kind: values.permitSigner?.kind ?? 'file', ...values.networkPolicy.custodySigner };
}

/** Whether the values of a set let Prometheus reach custody. */
const monitorsCustody = (set: string): boolean =>
  (parseYaml(read(valuesOf(set))) as { readonly networkPolicy: { readonly monitorCustody?: boolean } }).networkPolicy.monitorCustody ?? false;

/** The peers of rules, but for DNS. */
const peersOf = (rules: readonly Rule[]) => rules.filter(({ ports }) => ports[0]?.port !== 53).flatMap(({ from, to }) => from ?? to ?? []);

describe.each(VALUE_SETS)('The recorded manifests of %s', (set) => {
  const manifests = setOf(set);

  it('were rendered from the chart and values as they are; otherwise run `npm run helm:record`', () => {
    expect(recordedInputs(read(renderedOf(set)))).toBe(inputsOf(set));
    expect(manifests.length).toBeGreaterThan(40);
  });

  it('fulfil the Pod Security Standard `restricted`, with a read-only root and no token', () => {
    for (const one of podsOf(manifests)) {
      const pod = podOf(one);
      expect([one.metadata.name, pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([one.metadata.name, undefined, undefined, undefined]);
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } });
      expect((pod.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined)).toEqual([]);
      for (const { secret, projected } of pod.volumes ?? []) expect([0o440, undefined]).toContain((secret ?? projected)?.defaultMode);
      for (const container of containersOf(pod)) {
        expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
        expect((container.ports ?? []).filter(({ hostPort }) => hostPort !== undefined)).toEqual([]);
        expect([container.name, container.resources.requests, container.resources.limits?.memory]).toEqual([container.name, { cpu: expect.any(String), memory: expect.any(String) }, expect.any(String)]);
      }
    }
    for (const account of ofKind(manifests, 'ServiceAccount')) expect(account).toHaveProperty('automountServiceAccountToken', false);
  });

  it('give secrets to containers as files only', () => {
    for (const one of podsOf(manifests))
      for (const { env = [] } of containersOf(podOf(one)))
        for (const { name, value, valueFrom } of env) {
          expect([name, valueFrom]).toEqual([name, undefined]);
          if (/PASSWORD|SECRET|TOKEN(?!_LABEL)|PEPPER|_KEY|_PIN|DATABASE_URL|^RPC_\w+_URLS/.test(name) && !/^CODEC_|KMS_KEY_ID$|PKCS11_KEY_ID$|PUBLIC_KEY$/.test(name)) expect([name, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\/run\//)]);
        }
  });

  it('probe each service where it answers, and give it more time to end than it takes itself', () => {
    for (const one of ofKind(manifests, 'Deployment')) {
      const pod = podOf(one);
      const [container] = pod.containers as [Container];
      const ports = (container.ports ?? []).map(({ name }) => name);
      expect(ports.length).toBeGreaterThan(0);
      // Gateway and review console answer /readyz on the operations port alone.
      const port = ports.includes('operations') ? 'operations' : 'http';
      for (const [probe, route] of [['startupProbe', '/healthz'], ['readinessProbe', '/readyz'], ['livenessProbe', '/healthz']] as const) expect(container[probe]?.httpGet).toEqual({ path: route, port });
      const slept = container.lifecycle?.preStop.sleep.seconds ?? 0;
      expect([one.metadata.name, slept > 0]).toEqual([one.metadata.name, ports.includes('http')]);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(slept + OWN_DRAIN + 5);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
      expect(one.spec['strategy']).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter((budget) => componentOf(budget) === componentOf(one));
      expect(budgets.map(({ spec }) => spec['maxUnavailable'])).toEqual([1]);
    }
  });

  it('publish gateway and site only, and no operations port', () => {
    for (const { spec } of ofKind(manifests, 'Service')) expect(spec).toMatchObject({ type: 'ClusterIP', ports: [{ name: 'http', targetPort: 'http' }] });
    const components = ofKind(manifests, 'Service').map(componentOf);
    expect(components.filter((one) => !['api-gateway', 'site', 'review-console', 'codec-server'].includes(one))).toEqual([]);
    for (const one of [...ofKind(manifests, 'Ingress'), ...ofKind(manifests, 'HTTPRoute')]) expect(['api-gateway', 'site']).toContain(componentOf(one));
  });

  it('deny all connections except those of a policy, and have a policy for every pod', () => {
    const [deny] = ofKind(manifests, 'NetworkPolicy').filter(({ metadata }) => metadata.name.endsWith('-deny'));
    expect(deny?.spec).toEqual({ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'custom-launch', 'app.kubernetes.io/instance': 'launch' } }, policyTypes: ['Ingress', 'Egress'] });
    for (const component of new Set(podsOf(manifests).map(componentOf))) {
      const { ingress, egress, policyTypes } = policyOf(manifests, component);
      expect(policyTypes).toEqual(['Ingress', 'Egress']);
      // An empty list of peers would mean everyone.
      for (const { from, to, ports } of [...ingress, ...egress]) expect([component, (from ?? to ?? []).length > 0, ports.length > 0]).toEqual([component, true, true]);
    }
  });

  it('let no pod reach custody, and custody its database, its signer and Temporal alone', () => {
    const { ingress, egress } = policyOf(manifests, 'permit-custody');
    // Prometheus, where the values let it in.
    expect(ingress.flatMap(({ ports }) => ports.map(({ port }) => port)).filter((port) => port !== 'operations')).toEqual([]);
    expect(peersOf(ingress)).toEqual(monitorsCustody(set) ? peersOf(policyOf(manifests, 'module-builder').ingress) : []);
    const temporal = peersOf(policyOf(manifests, 'promote-workers').egress);
    const database = peersOf(policyOf(manifests, 'migrate-custody').egress);
    expect(peersOf(egress)).toEqual([...temporal, ...database, ...(signerOf(set).peers ?? [])]);
    const other = peersOf(policyOf(manifests, 'migrate-api-gateway').egress);
    for (const one of ofKind(manifests, 'Deployment').map(componentOf).filter((component) => component !== 'permit-custody')) for (const peer of database) expect([one, peersOf(policyOf(manifests, one).egress)]).toEqual([one, expect.not.arrayContaining([peer])]);
    for (const peer of other) expect(peersOf(egress)).not.toContainEqual(peer);
  });

  it('let the builder reach Temporal alone, and give it no database, observer or permit key', () => {
    const { ingress, egress } = policyOf(manifests, 'module-builder');
    const collector = ofKind(manifests, 'Deployment').some((one) => podOf(one).containers[0]!.env?.some(({ name }) => name === 'OTEL_EXPORTER_OTLP_ENDPOINT'));
    expect(egress).toHaveLength(collector ? 3 : 2);
    expect(ingress.every(({ ports }) => ports.every(({ port }) => port === 'operations'))).toBe(true);
    const builder = ofKind(manifests, 'Deployment').filter((one) => componentOf(one) === 'module-builder');
    for (const secret of builder.flatMap((one) => secretsOf(podOf(one)))) expect(secret).toMatch(/^(launch-build-signing|temporal-.+)$/);
  });

  it('let the builder write to its own store alone, which only the console reads besides', () => {
    const deployments = ofKind(manifests, 'Deployment');
    const mountOf = (component: string, name: string) => podOf(deployments.find((one) => componentOf(one) === component)!).containers[0]!.volumeMounts?.find((one) => one.name === name);
    expect(mountOf('module-builder', 'blobs')).toMatchObject({ readOnly: true });
    expect(mountOf('module-builder', 'build-results')).toMatchObject({ mountPath: '/var/lib/launch/build-results', readOnly: false });
    expect(mountOf('review-console', 'build-results')).toMatchObject({ readOnly: true });
    const holders = deployments.filter((one) => podOf(one).volumes?.some(({ name }) => name === 'build-results')).map(componentOf);
    expect([...new Set(holders)].sort()).toEqual(['module-builder', 'review-console']);
  });

  it('give the permit key to custody only, as a private copy in memory, or to no pod where a signer has it', () => {
    const custody = ofKind(manifests, 'Deployment').filter((one) => componentOf(one) === 'permit-custody');
    const [container] = podOf(custody[0]!).containers as [Container];
    const variables = new Map((container.env ?? []).map(({ name, value }) => [name, value]));
    const mounts = new Map((container.volumeMounts ?? []).map((one) => [one.name, one]));
    const holders = podsOf(manifests).filter((one) => secretsOf(podOf(one)).includes('launch-permit-key'));
    const { kind } = signerOf(set);
    expect(variables.get('PERMIT_SIGNER')).toBe(kind);
    expect(mounts.get('blobs')).toMatchObject({ readOnly: true });
    expect(mounts.has('mounted-keys')).toBe(false);
    expect(holders.map(componentOf)).toEqual(kind === 'file' ? ['permit-custody'] : []);
    expect(variables.get('PERMIT_KEY_FILE')).toBe(kind === 'file' ? '/run/private/PERMIT_KEY_FILE' : undefined);
    expect(podsOf(manifests).filter((one) => JSON.stringify(podOf(one).volumes ?? []).includes('launch-permit-pin')).map(componentOf)).toEqual(kind === 'pkcs11' ? ['permit-custody'] : []);
    if (kind !== 'file') return;
    expect(mounts.get('private-keys')).toMatchObject({ mountPath: '/run/private', readOnly: true });
    expect(podOf(custody[0]!).volumes).toContainEqual({ name: 'private-keys', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } });
  });

  it('migrate before a release, and promote its worker versions after it and after a rollback', () => {
    const hooks = new Map(ofKind(manifests, 'Job').map((one) => [componentOf(one), one.metadata.annotations?.['helm.sh/hook']]));
    expect(hooks.get('promote-workers')).toBe('post-install,post-upgrade,post-rollback');
    hooks.delete('promote-workers');
    expect([...hooks]).toEqual(['admission', 'api-gateway', 'custody', 'finality', 'indexer', 'module-review'].map((one) => [`migrate-${one}`, 'pre-install,pre-upgrade']));
    const versioned = ofKind(manifests, 'Deployment').filter(({ spec }) => 'launch/version' in (spec['selector'] as { matchLabels: object }).matchLabels);
    expect([...new Set(versioned.map(componentOf))].sort()).toEqual([...WORKER_DEPLOYMENTS].sort());
  });

  it('set only variables that a program reads', () => {
    const known = new Set([...read(path.join(CHART, '../../../.env.example')).matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string));
    for (const one of ofKind(manifests, 'Deployment'))
      for (const { env = [] } of podOf(one).containers)
        for (const { name } of env) expect([componentOf(one), name, known.has(name) || known.has(name.replace(/_FILE$/, ''))]).toEqual([componentOf(one), name, true]);
    const [site] = ofKind(manifests, 'Deployment').filter((one) => componentOf(one) === 'site');
    for (const { name } of podOf(site!).containers[0]!.env ?? []) expect(Object.keys(siteSchema.shape)).toContain(name);
  });
});

describe('An upgrade in the production values', () => {
  const manifests = setOf('production');
  const workers = ofKind(manifests, 'Deployment').filter((one) => componentOf(one) === 'finality-worker');

  it('keeps the workers of the previous version beside the new ones', () => {
    expect(workers.map((one) => podOf(one).containers[0]!.image).sort()).toEqual(['registry.example.com/launch/finality-worker:1.4.0', 'registry.example.com/launch/finality-worker:1.5.0']);
  });

  it('scales the new version alone, by the backlog of its build id', () => {
    const scaled = ofKind(manifests, 'ScaledObject');
    expect(scaled.map(componentOf).sort()).toEqual(['admission-worker', 'finality-worker', 'indexer', 'module-builder', 'module-review']);
    const finality = scaled.find((one) => componentOf(one) === 'finality-worker')!;
    const target = (finality.spec['scaleTargetRef'] as { name: string }).name;
    const deployment = workers.find(({ metadata }) => metadata.name === target)!;
    expect(podOf(deployment).containers[0]!.image).toMatch(/:1\.5\.0$/);
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(finality.spec['triggers']).toEqual([expect.objectContaining({ type: 'temporal', metadata: expect.objectContaining({ taskQueue: 'launch-finality', workerDeploymentName: 'finality-worker', workerDeploymentBuildId: '0123456789abcdef' }) })]);
  });
});

describe('The collection of blobs in the production values', () => {
  const manifests = setOf('production');
  const [job, ...others] = ofKind(manifests, 'CronJob');

  it('runs alone, changes blobs where a value says so, and is off by default', () => {
    expect(others).toEqual([]);
    expect(job!.spec['concurrencyPolicy']).toBe('Forbid');
    expect(podOf(job!).containers[0]!.command).toEqual(['node', 'apps/blob-collector/dist/main.js', '--remove']);
    for (const set of VALUE_SETS.filter((one) => one !== 'production')) expect(ofKind(setOf(set), 'CronJob')).toEqual([]);
  });

  it('reads every variable that the program needs, and reaches the databases alone', () => {
    const names = (podOf(job!).containers[0]!.env ?? []).map(({ name }) => name.replace(/_FILE$/, ''));
    expect(names.sort()).toEqual(Object.keys(collectorSchema.shape).sort());
    const [services, custody] = ['migrate-api-gateway', 'migrate-custody'].map((one) => peersOf(policyOf(manifests, one).egress));
    expect(peersOf(policyOf(manifests, 'blob-collector').egress)).toEqual([...services!, ...custody!]);
    expect(policyOf(manifests, 'blob-collector').ingress).toEqual([]);
  });
});

describe.each(FURTHER_SETS)('The recorded manifests of %s', (set) => {
  const manifests = setOf(set);
  const workers = ofKind(manifests, 'WorkerDeployment');

  it('were rendered from the chart and values as they are; otherwise run `npm run helm:record`', () => {
    expect(recordedInputs(read(renderedOf(set)))).toBe(inputsOf(set));
  });

  it('give the workers with workflows to the controller, with the pods that they have otherwise', () => {
    expect(workers.map(componentOf).sort()).toEqual([...WORKER_DEPLOYMENTS].sort());
    const production = ofKind(setOf('production'), 'Deployment');
    for (const one of workers) {
      expect(ofKind(manifests, 'Deployment').map(componentOf)).not.toContain(componentOf(one));
      expect(production.filter((other) => componentOf(other) === componentOf(one)).map(({ spec }) => spec['template'])).toContainEqual(one.spec['template']);
    }
  });

  it('promote through the gate that replays histories, by the credentials of the gateway and without the Job', () => {
    const [connection, ...others] = ofKind(manifests, 'Connection');
    expect([connection?.spec, others]).toEqual([{ hostPort: 'temporal-frontend.temporal.svc:7233', tls: { serverName: 'temporal-frontend' }, mutualTLSSecretRef: { name: 'temporal-client-api-gateway' } }, []]);
    for (const { spec } of workers) {
      expect(spec['rollout']).toEqual({ strategy: 'AllAtOnce', gate: { workflowType: WORKFLOW_TYPES.replayGate } });
      expect(spec['sunset']).toEqual({ scaledownDelay: '1h', deleteDelay: '24h' });
      expect(spec['workerOptions']).toEqual({ connectionRef: { name: connection!.metadata.name }, temporalNamespace: expect.any(String) });
    }
    expect(podsOf(manifests).map(componentOf)).not.toContain('promote-workers');
    expect(ofKind(manifests, 'NetworkPolicy').map(componentOf)).not.toContain('promote-workers');
    expect(podsOf(manifests).flatMap((one) => containersOf(podOf(one)).map(({ name }) => name))).not.toContain('versions');
  });

  it('scale each version by its own backlog', () => {
    const templates = ofKind(manifests, 'WorkerResourceTemplate');
    expect(templates.map(componentOf).sort()).toEqual([...WORKER_DEPLOYMENTS].sort());
    for (const { metadata, spec } of templates) {
      const { kind, spec: scaled } = spec['template'] as { kind: string; spec: { scaleTargetRef: object; triggers: readonly { metadata: Readonly<Record<string, string>> }[] } };
      expect([kind, scaled.scaleTargetRef, spec['workerDeploymentRef']]).toEqual(['ScaledObject', {}, { name: metadata.name }]);
      const [trigger] = scaled.triggers.filter(({ metadata: { queueTypes } }) => queueTypes!.includes('workflow'));
      expect(trigger?.metadata).toMatchObject({ workerDeploymentName: `launch/${metadata.name}`, workerDeploymentBuildId: '__TEMPORAL_WORKER_BUILD_ID__' });
    }
    for (const one of workers) expect(one.spec).not.toHaveProperty('replicas');
  });
});

describe('The alerts in the production values', () => {
  const manifests = setOf('production');

  it('are those of deploy/grafana, about services that the PodMonitor names as they do', () => {
    const files = globSync('*.yaml', { cwd: RULES }).sort();
    const groups = files.flatMap((file) => (parseYaml(read(path.join(RULES, file))) as { groups: unknown[] }).groups);
    expect(ofKind(manifests, 'PrometheusRule').map(({ spec }) => spec['groups'])).toEqual([groups]);
    const [monitor] = ofKind(manifests, 'PodMonitor');
    expect(monitor?.spec['jobLabel']).toBe(COMPONENT);
    const jobs = [...JSON.stringify(groups).matchAll(/job=\\"([a-z-]+)\\"/g)].map(([, job]) => job);
    const scraped = ofKind(manifests, 'Deployment').filter((one) => podOf(one).containers[0]!.ports?.some(({ name }) => name === 'operations')).map(componentOf);
    expect(jobs.length).toBeGreaterThan(5);
    expect(jobs.filter((job) => !scraped.includes(job!))).toEqual([]);
  });
});

describe('The traces in the production values', () => {
  it('come from every service but the site and custody', () => {
    const traced = ofKind(setOf('production'), 'Deployment').filter((one) => podOf(one).containers[0]!.env?.some(({ name }) => name === 'OTEL_EXPORTER_OTLP_ENDPOINT'));
    const services = [...new Set(traced.map(componentOf))].sort();
    expect(services).toEqual(['admission-worker', 'api-gateway', 'codec-server', 'finality-worker', 'indexer', 'module-builder', 'module-review', 'review-console']);
  });
});

describe('The values of the chart', () => {
  interface Schema {
    readonly type?: unknown;
    readonly description?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly additionalProperties?: unknown;
  }
  const schema = JSON.parse(read(path.join(CHART, 'values.schema.json'))) as Schema;
  const defaults = parseYaml(read(path.join(CHART, 'values.yaml'))) as Readonly<Record<string, unknown>>;

  it('are closed: the schema describes every value, and accepts no other', () => {
    const walk = (node: Schema, value: unknown, key: string): void => {
      expect([key, node.description]).toEqual([key, expect.stringMatching(/.\.$/)]);
      if (node.properties === undefined) return;
      expect([key, node.additionalProperties]).toEqual([key, false]);
      const given = Object.keys(value as object);
      expect([key, given.filter((name) => !(name in node.properties!))]).toEqual([key, []]);
      for (const name of given) walk(node.properties[name]!, (value as Readonly<Record<string, unknown>>)[name], `${key}.${name}`);
    };
    walk(schema, defaults, 'values');
  });

  it('are documented in the README of the chart; otherwise run `npm run helm:record`', () => {
    expect(read(path.join(CHART, 'README.md'))).toContain(`<!-- values -->\n${valuesTable(schema, defaults)}\n<!-- end of values -->`);
  });
});
