import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { INDEX_STATES } from '@launch/contracts/index';
import { REVIEW_STATES } from '@launch/contracts/states';
import { exportedMetrics, exportedSeries } from './exported-metrics.fixture.js';
import { parsePromql } from './promql.fixture.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
// Nx's own parser: nothing else in the repository reads YAML.
const require = createRequire(import.meta.url);
const { parse } = createRequire(require.resolve('nx/package.json'))('yaml') as { parse: (text: string, options?: { merge: boolean }) => unknown };

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly id: number; readonly title: string; readonly type: string; readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }; readonly datasource: { readonly uid: string }; readonly targets: readonly { readonly expr: string; readonly legendFormat: string; readonly refId: string }[] }[];
}
interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}
interface AlertTest {
  readonly tests: readonly { readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly unknown[] }[] }[];
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
const ruleFiles = globSync('deploy/grafana/rules/*.yaml', { cwd: root }).sort();
const allRules = ruleFiles
  .flatMap((file) => (parse(read(file)) as { groups: { rules: (Rule | RecordingRule)[] }[] }).groups)
  .flatMap((group) => group.rules);
const rules = allRules.filter((rule) => 'alert' in rule);
const records = allRules.filter((rule) => 'record' in rule);
const scraping = parse(read('deploy/grafana/prometheus.yaml')) as Scraping;
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, { environment?: Record<string, string> }> };

const series = exportedSeries();
/** The labels that Prometheus adds to every scraped series, besides its own `up`. */
const ADDED = ['instance', 'job'];
/** By the name of a recorded series: the labels that its rule gives or keeps. */
const recorded = new Map<string, readonly string[]>(records.map(({ record, expr, labels = {} }) => [record, [...Object.keys(labels), ...parsePromql(expr).grouping]]));
const isKnown = (name: string): boolean => name === 'up' || series.has(name) || recorded.has(name);
const labelsOf = (name: string): readonly string[] => recorded.get(name) ?? [...(series.get(name) ?? []), ...ADDED];

function unknownIn(expr: string): readonly string[] {
  const { names, grouping, errors } = parsePromql(expr);
  const labels = new Set(names.flatMap(({ name }) => labelsOf(name)));
  return [
    ...errors.map((place) => `no PromQL at ${place}`),
    ...(names.length === 0 ? ['it asks for nothing'] : []),
    ...names.filter(({ name }) => !isKnown(name)).map(({ name }) => `no service exports ${name}`),
    ...names.flatMap(({ name, matchers }) => matchers.filter(({ label }) => !labelsOf(name).includes(label)).map(({ label }) => `${name} has no ${label}`)),
    ...grouping.filter((label) => !labels.has(label)).map((label) => `nothing has ${label}`),
  ];
}

describe('The dashboards', () => {
  it('exist for each part of the product, each with a uid of its file', () => {
    expect(dashboards.map((file) => path.basename(file, '.json'))).toEqual(['launch-custody', 'launch-gateway', 'launch-index', 'launch-modules', 'launch-objectives', 'launch-workers']);
    for (const file of dashboards) expect((JSON.parse(read(file)) as Dashboard).uid).toBe(path.basename(file, '.json'));
  });

  it.each(panels)('query only exported metrics in $file: “$title”', ({ targets, datasource }) => {
    for (const { expr, legendFormat } of targets) {
      expect({ expr, unknown: unknownIn(expr) }).toEqual({ expr, unknown: [] });
      // A label that the expression does not keep would be shown empty.
      const { names, grouping } = parsePromql(expr);
      const kept = grouping.length > 0 ? grouping : names.flatMap(({ name }) => labelsOf(name));
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label);
    }
    expect(read('deploy/grafana/provisioning/datasources/prometheus.yaml')).toContain(`uid: ${datasource.uid}\n`);
  });

  it('show every metric of the product in a panel', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => parsePromql(expr).names.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')))));
    expect(exportedMetrics().map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('show every objective', () => {
    const text = read('deploy/grafana/dashboards/launch-objectives.json');
    for (const source of ['launch_handoff_duration_seconds', 'launch_finality_added_lag_seconds', 'slo=\\"reads\\"', 'launch_index_source_stalled_seconds', 'launch_module_review_oldest_seconds']) expect(text).toContain(source);
  });

  it.each(dashboards)('are valid in %s: panels with ids, places that do not overlap, and a letter for each query', (file) => {
    const dashboard = JSON.parse(read(file)) as Dashboard & { readonly schemaVersion: number };
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => Array.from({ length: w * h }, (_none, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`));
    expect(new Set(taken).size).toBe(taken.length);
    for (const { gridPos, targets, type } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      expect(type).toMatch(/^(timeseries|stat|table|bargauge)$/);
      expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_target, at) => String.fromCodePoint(65 + at)));
    }
  });
});

/** The values that a metric has of `state`. */
const statesOf = (name: string): readonly string[] => (name.startsWith('launch_index_') ? INDEX_STATES : REVIEW_STATES);

/** The list of runbooks, and a task that the operator begins. */
const WITHOUT_ALERT = ['docs/runbooks/README.md', 'docs/runbooks/backup.md', 'docs/runbooks/blob-collection.md'];

describe('The alerts', () => {
  it.each(rules)('query in $alert only metrics that its service exports, and name its runbook', ({ expr, annotations, labels }) => {
    expect({ expr, unknown: unknownIn(expr) }).toEqual({ expr, unknown: [] });
    expect(existsSync(path.join(root, annotations.runbook))).toBe(true);
    expect(labels.severity).toMatch(/^(warning|critical)$/);
    for (const { name, matchers } of parsePromql(expr).names)
      for (const { value } of matchers.filter(({ label }) => label === 'state')) for (const state of value.split('|')) expect(statesOf(name)).toContain(state);
    const { names, grouping } = parsePromql(expr);
    const kept = grouping.length > 0 ? grouping : names.flatMap(({ name }) => labelsOf(name));
    for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(kept).toContain(label);
  });

  it('have a name each', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('are those that each runbook names, and every runbook has one', () => {
    const pages = globSync('docs/runbooks/*.md', { cwd: root }).filter((page) => !WITHOUT_ALERT.includes(page));
    const named = pages.map((page) => {
      const line = /^\*\*Alerts\.\*\* (.*)$/m.exec(read(page))?.[1] ?? '';
      return [page, [...line.matchAll(/`(\w+)`/g)].map(([, alert]) => alert as string).sort()] as const;
    });
    const linking = pages.map((page) => [page, rules.filter(({ annotations }) => annotations.runbook === page).map(({ alert }) => alert).sort()] as const);
    expect(named.sort()).toEqual(linking.sort());
    expect(linking.filter(([, alerts]) => alerts.length === 0)).toEqual([]);
  });

  it('have a symptom of each runbook in the list of runbooks', () => {
    const list = read('docs/runbooks/README.md');
    for (const { annotations } of rules) expect(list).toContain(`](${path.basename(annotations.runbook)})`);
  });

  it.each(ruleFiles)('of %s are tested by promtool, once quiet and once firing', (file) => {
    const names = (parse(read(file)) as { groups: { rules: (Rule | RecordingRule)[] }[] }).groups.flatMap((group) => group.rules).flatMap((rule) => ('alert' in rule ? [rule.alert] : []));
    const { tests } = parse(read(`deploy/grafana/rules-tests/${path.basename(file)}`)) as AlertTest;
    const tested = tests.flatMap(({ alert_rule_test: cases }) => cases);
    const sorted = [...names].sort();
    for (const isFiring of [false, true])
      expect(tested.filter(({ exp_alerts: expected = [] }) => expected.length > 0 === isFiring).map(({ alertname }) => alertname).sort()).toEqual(sorted);
  });
});

describe('The recording rules', () => {
  it.each(records)('query in $record only metrics that exist', ({ expr, record }) => {
    const { names, errors } = parsePromql(expr);
    expect(errors).toEqual([]);
    if (record !== 'slo:error_budget') expect(unknownIn(expr)).toEqual([]);
    else expect(names).toEqual([]);
  });

  it('give every objective a budget, five windows, a fast and a slow alert', () => {
    const objectives = records.filter(({ record }) => record === 'slo:error_budget').map(({ labels }) => labels?.['slo'] as string);
    expect(objectives).toEqual(['handoff', 'finality-lag', 'reads', 'index', 'reviews']);
    for (const objective of objectives) {
      const windows = records.filter(({ record, labels }) => record.startsWith('slo:error_ratio:') && labels?.['slo'] === objective).map(({ record }) => record.slice('slo:error_ratio:rate'.length));
      expect(windows).toEqual(['5m', '30m', '1h', '6h', '3d']);
      const burning = rules.filter(({ expr }) => expr.includes(`slo="${objective}"`)).map(({ alert, labels }) => [alert.replace(/^.*(?=Burn)/, ''), labels.severity]);
      expect(burning).toEqual([['BurnFast', 'critical'], ['BurnSlow', 'warning']]);
    }
  });
});

describe('The metrics', () => {
  const metrics = exportedMetrics();

  it('have names in one form: prefix, subject, and the suffix of their kind', () => {
    for (const { name, type } of metrics) {
      expect(name).toMatch(/^(launch|http)_[a-z0-9]+(_[a-z0-9]+)*$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
      // Base units alone, and a unit is the last word.
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kib|mib)(_|$)|_(seconds|bytes)_(?!total$)/);
    }
  });

  it('are those of the table in the guide', () => {
    const rows = [...read('docs/guides/monitoring.md').matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(([, ...cells]) => cells.map((cell) => cell.trim()));
    const every = [...new Set(metrics.flatMap(({ services }) => services))].length;
    expect(rows).toEqual(
      metrics.map(({ name, type, labels, services, help }) => [name, type, labels.map((label) => `\`${label}\``).join(', ') || 'none', services.length === every ? 'every service' : services.join(', '), help.replace(/\.$/, '')]),
    );
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
  ['no PromQL', 'sum(rate(http_requests_total[5m])', ['no PromQL at 33: total[5m])']],
  ['another metric', 'max(launch_index_lag)', ['no service exports launch_index_lag']],
  ['an unknown label', 'launch_index_lag_blocks{state="stopped"} > 0', ['launch_index_lag_blocks has no state']],
  ['an unknown group', 'sum by (quota) (rate(http_requests_total[5m]))', ['nothing has quota']],
  ['a histogram without its ending', 'rate(http_request_duration_seconds[5m])', ['no service exports http_request_duration_seconds']],
])('The check reports a panel with %s.', (_what, expr, unknown) => {
  expect(unknownIn(expr)).toEqual(unknown);
});
