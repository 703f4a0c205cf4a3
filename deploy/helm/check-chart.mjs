// Renders the chart with Helm for every value set, lints it, validates the manifests against Kubernetes' own schemas, and
// compares them with rendered/. `--record` writes rendered/ and the table of the chart's README instead of comparing.
//
//   npm run test:helm      node deploy/helm/check-chart.mjs
//   npm run helm:record    node deploy/helm/check-chart.mjs --record
//
// Needs Helm 4 on the PATH or Go to build it, and Python 3 with pip. Both tools are kept in the user's cache.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm, runTool, toolCache } from './find-helm.mjs';
import { CHART, FURTHER_SETS, parseManifests, parseYaml, recordOf, renderedOf, VALUE_SETS, valueFilesOf } from './rendered.mjs';
import { valuesTable } from './values-table.mjs';

const VALIDATOR = 'kubernetes-validate==1.37.0';
/** The oldest version that the chart accepts, and a recent one. */
const KUBERNETES = ['1.30', '1.36'];
/** Kinds of operators that a cluster adds: Kubernetes has no schema of them. */
const FURTHER_KINDS = ['ScaledObject', 'PodMonitor', 'PrometheusRule', 'HTTPRoute', 'Connection', 'WorkerDeployment', 'WorkerResourceTemplate'];
/** The values of `npm run test:cluster`, and replacements of those that the program adds. */
const CLUSTER_VALUES = path.join(import.meta.dirname, '../cluster/values.yaml');
const ADDED = ['release.version=test-1', 'publicOrigin=http://127.0.0.1', 'siteUrl=http://127.0.0.1', 'networkPolicy.publicIngress[0].podSelector.matchLabels.app=ingress'];

const { values: options } = parseArgs({ options: { record: { type: 'boolean', default: false } } });

function findValidator() {
  const environment = path.join(toolCache, VALIDATOR.replace('==', '-'));
  const program = path.join(environment, 'bin/kubernetes-validate');
  if (!existsSync(program)) {
    runTool('python3', ['-m', 'venv', environment]);
    runTool(path.join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', VALIDATOR]);
  }
  return program;
}

const problems = [];
const helm = findHelm();
const validator = findValidator();
const work = mkdtempSync(path.join(tmpdir(), 'chart-'));
try {
  for (const set of [...VALUE_SETS, ...FURTHER_SETS]) {
    const values = valueFilesOf(set).flatMap((file) => ['--values', file]);
    runTool(helm, ['lint', CHART, '--strict', ...values]);
    // Helm logs to the other stream that it follows the links of monitoring/.
    const { stdout: text } = runTool(helm, ['template', 'launch', CHART, '--namespace', 'launch', ...values]);
    const manifests = parseManifests(text);
    const file = path.join(work, `${set}.json`);
    const known = manifests.filter(({ kind }) => !FURTHER_KINDS.includes(kind));
    for (const [index, manifest] of known.entries()) writeFileSync(file.replace('.json', `-${index}.json`), JSON.stringify(manifest));
    const files = known.map((_, index) => file.replace('.json', `-${index}.json`));
    for (const version of KUBERNETES) {
      const { stdout, stderr } = runTool(validator, ['--strict', '--kubernetes-version', version, ...files]);
      const said = stdout + stderr;
      if (said.includes("Couldn't find schema")) problems.push(`${set}: ${said}`);
    }
    const record = recordOf(set, manifests);
    if (options.record) writeFileSync(renderedOf(set), record);
    else if (readFileSync(renderedOf(set), 'utf8') !== record) problems.push(`rendered/${set}.yaml is not what Helm renders: npm run helm:record`);
    process.stdout.write(`${set}: ${manifests.length} manifests, ${known.length} valid for Kubernetes ${KUBERNETES.join(' and ')}\n`);
  }
  runTool(helm, ['template', 'launch', CHART, '--namespace', 'launch', '--values', CLUSTER_VALUES, ...ADDED.flatMap((setting) => ['--set', setting])]);
  process.stdout.write('cluster: rendered\n');
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (options.record) {
  const readme = path.join(CHART, 'README.md');
  const schema = JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8'));
  const table = valuesTable(schema, parseYaml(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')));
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(/(?<=<!-- values -->\n)[^]*(?=\n<!-- end of values -->)/, () => table));
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
