// The chart as recorded: the manifests of each value set, and the digest of the files that they were rendered from.
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = import.meta.dirname;
export const CHART = path.join(folder, 'custom-launch');
export const VALUE_SETS = ['minimal', 'production', 'temporal-cloud', 'hardware-module', 'development'];
/** Sets in which other kinds of objects take the place of those that the sets above have. */
export const FURTHER_SETS = ['worker-controller'];
export const valuesOf = (set) => path.join(folder, `values/${set}.yaml`);
/** The files of a set, in the order in which Helm takes them. */
export const valueFilesOf = (set) => (set === 'worker-controller' ? ['production', set] : [set]).map(valuesOf);
export const renderedOf = (set) => path.join(folder, `rendered/${set}.yaml`);

// Nx's own parser: the repository declares no YAML library.
const require = createRequire(import.meta.url);
const yaml = createRequire(require.resolve('nx/package.json'))('yaml');
export const parseYaml = (text) => yaml.parse(text);
export const parseManifests = (text) => yaml.parseAllDocuments(text).flatMap((one) => {
  if (one.errors.length > 0) throw one.errors[0];
  return one.toJSON() ?? [];
});

/** Returns the digest of a value set and of every file of the chart that Helm renders from. */
export function inputsOf(set) {
  const hash = createHash('sha256');
  const files = globSync('**/*.{yaml,tpl,txt,json}', { cwd: CHART }).sort().map((name) => path.join(CHART, name));
  // Links to deploy/grafana, which a pattern does not follow.
  const monitoring = ['rules', 'dashboards'].flatMap((name) => readdirSync(path.join(CHART, 'monitoring', name)).sort().map((file) => path.join(CHART, 'monitoring', name, file)));
  for (const file of [...files, ...monitoring, ...valueFilesOf(set)]) hash.update(`${path.relative(folder, file)}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const keyOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;

/** Returns the text to record: the digest of the inputs, then the manifests by kind and name, without comments. */
export function recordOf(set, manifests) {
  const sorted = [...manifests].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const texts = sorted.map((one) => yaml.stringify(one, { lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false }));
  return `# Written by \`npm run helm:record\` from values/${set}.yaml. Inputs: ${inputsOf(set)}\n---\n${texts.join('---\n')}`;
}

/** The digest of the inputs in a recorded text. */
export const recordedInputs = (text) => /^# .* Inputs: ([0-9a-f]{64})$/m.exec(text)?.[1];
