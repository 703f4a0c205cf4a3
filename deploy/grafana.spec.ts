import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { INDEX_STATES } from '@launch/contracts/index';
import { REVIEW_STATES } from '@launch/contracts/states';
import { exportedSeries } from './exported-metrics.fixture.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
// Nx's own parser: nothing else in the repository reads YAML.
const require = createRequire(import.meta.url);
const { parse } = createRequire(require.resolve('nx/package.json'))('yaml') as { parse: (text: string, options?: { merge: boolean }) => unknown };

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly id: number; readonly title: string; readonly datasource: { readonly uid: string }; readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Scraping {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly { readonly job_name: string; readonly dns_sd_configs: readonly [{ readonly names: readonly string[]; readonly port: number }] }[];
}

const dashboards = globSync('deploy/grafana/dashboards/*.json', { cwd: root }).sort();
const panels = dashboards.flatMap((file) => (JSON.parse(read(file)) as Dashboard).panels.map((panel) => ({ file, ...panel })));
const rules = globSync('deploy/grafana/rules/*.yaml', { cwd: root })
  .sort()
  .flatMap((file) => (parse(read(file)) as { groups: { rules: Rule[] }[] }).groups)
  .flatMap((group) => group.rules);
const scraping = parse(read('deploy/grafana/prometheus.yaml')) as Scraping;
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, { environment?: Record<string, string> }> };

const series = exportedSeries();
/** The labels that Prometheus adds to every scraped series, besides its own `up`. */
const ADDED = ['instance', 'job'];
const isKnown = (name: string): boolean => name === 'up' || series.has(name);
const labelsOf = (name: string): readonly string[] => [...(series.get(name) ?? []), ...ADDED];

/** Returns the series of an expression, each with the labels that filter it, and all labels that the expression groups by. */
function askedBy(expr: string) {
  const selected = [...expr.matchAll(/\b([a-z_:][a-z0-9_:]*)\s*(?:\{([^}]*)\})?(?=\s*(?:\[|\)|$|==|>|<|,|unless))/g)];
  const grouping = [...expr.matchAll(/\b(?:by|on|without)\s*\(([^)]*)\)/g)].flatMap(([, list]) => (list as string).split(',').map((one) => one.trim()));
  const names = selected
    .map(([, name, labels = '']) => ({ name: name as string, matchers: [...labels.matchAll(/([a-z_]+)\s*[=!]~?\s*"([^"]*)"/g)].map(([, label, value]) => ({ label: label as string, value: value as string })) }))
    .filter(({ name }) => !grouping.includes(name));
  return { names, grouping };
}

function unknownIn(expr: string): readonly string[] {
  const { names, grouping } = askedBy(expr);
  const labels = new Set(names.flatMap(({ name }) => labelsOf(name)));
  return [
    ...(names.length === 0 ? ['it asks for nothing'] : []),
    ...names.filter(({ name }) => !isKnown(name)).map(({ name }) => `no service exports ${name}`),
    ...names.flatMap(({ name, matchers }) => matchers.filter(({ label }) => !labelsOf(name).includes(label)).map(({ label }) => `${name} has no ${label}`)),
    ...grouping.filter((label) => !labels.has(label)).map((label) => `nothing has ${label}`),
  ];
}

describe('The dashboards', () => {
  it('exist for the index, the gateway and the workers, each with a uid of its file', () => {
    expect(dashboards.map((file) => path.basename(file, '.json'))).toEqual(['launch-gateway', 'launch-index', 'launch-workers']);
    for (const file of dashboards) expect((JSON.parse(read(file)) as Dashboard).uid).toBe(path.basename(file, '.json'));
  });

  it.each(panels)('query only exported metrics in $file: “$title”', ({ targets, datasource }) => {
    for (const { expr, legendFormat } of targets) {
      expect({ expr, unknown: unknownIn(expr) }).toEqual({ expr, unknown: [] });
      // A label that the expression does not keep would be shown empty.
      const { names, grouping } = askedBy(expr);
      const kept = grouping.length > 0 ? grouping : names.flatMap(({ name }) => labelsOf(name));
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label);
    }
    expect(read('deploy/grafana/provisioning/datasources/prometheus.yaml')).toContain(`uid: ${datasource.uid}\n`);
  });

  it('show every metric of the index and of the reviews in a panel', () => {
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => askedBy(expr).names.map(({ name }) => name)));
    for (const name of [...series.keys()].filter((one) => /^launch_(index|module)_/.test(one))) expect(shown).toContain(name);
  });
});

/** The values that a metric has of `state`. */
const statesOf = (name: string): readonly string[] => (name.startsWith('launch_index_') ? INDEX_STATES : REVIEW_STATES);

describe('The alerts', () => {
  it.each(rules)('query in $alert only metrics that its service exports, and name its runbook', ({ expr, annotations, labels }) => {
    expect({ expr, unknown: unknownIn(expr) }).toEqual({ expr, unknown: [] });
    expect(existsSync(path.join(root, annotations.runbook))).toBe(true);
    expect(labels.severity).toMatch(/^(warning|critical)$/);
    for (const { name, matchers } of askedBy(expr).names)
      for (const { value } of matchers.filter(({ label }) => label === 'state')) for (const state of value.split('|')) expect(statesOf(name)).toContain(state);
    const { names, grouping } = askedBy(expr);
    const kept = grouping.length > 0 ? grouping : names.flatMap(({ name }) => labelsOf(name));
    for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(kept).toContain(label);
  });

  it('link every runbook of the index, and those of waiting reviews and a full disk', () => {
    const runbooks = [...globSync('docs/runbooks/index-*.md', { cwd: root }), 'docs/runbooks/module-review-backlog.md', 'docs/runbooks/disk-full.md'];
    expect([...new Set(rules.map(({ annotations }) => annotations.runbook))].sort()).toEqual(runbooks.sort());
  });
});

it('Prometheus scrapes every service of the product at the port that Compose gives it.', () => {
  const ours = Object.entries(compose.services).flatMap(([name, { environment }]) => {
    const port = environment?.['METRICS_PORT'] ?? environment?.['OPERATIONS_PORT'];
    return port === undefined ? [] : [[name, Number(port)] as const];
  });
  const scraped = scraping.scrape_configs.map(({ job_name: job, dns_sd_configs: [{ names, port }] }) => [job, names, port] as const);
  expect([...scraped].sort()).toEqual(ours.map(([name, port]) => [name, [name], port] as const).sort());
});

it.each([
  ['another metric', 'max(launch_index_lag)', ['no service exports launch_index_lag']],
  ['an unknown label', 'launch_index_lag_blocks{state="stopped"} > 0', ['launch_index_lag_blocks has no state']],
  ['an unknown group', 'sum by (quota) (rate(http_requests_total[5m]))', ['nothing has quota']],
  ['a histogram without its ending', 'rate(http_request_duration_seconds[5m])', ['no service exports http_request_duration_seconds']],
])('The check reports a panel with %s.', (_what, expr, unknown) => {
  expect(unknownIn(expr)).toEqual(unknown);
});
