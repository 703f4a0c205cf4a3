import {
  addSource,
  camelCase,
  editSource,
  fillTemplate,
  pascalCase,
  textOf,
  type WorkspaceTree,
} from './workspace-tree.js';

export interface WorkerFeatureOptions {
  /** Verb and noun of its activity, such as `judge-royalties`. */
  readonly name: string;
  readonly app: keyof typeof WORKERS;
  /** The activity's summary in the Temporal UI, one line. */
  readonly line: string;
}

const SCRIPTED_STEPS = 'libs/workflows/src/fixtures/admission.fixture.ts';

/** The file of a worker's activities, and the code with which a spec creates them. */
interface Worker {
  readonly service: string;
  readonly hub: string;
  /** Text in front of the activities' functions, and the source of their blobs. */
  readonly functions: string;
  readonly blobs: string;
  readonly imports: string;
  readonly activities: string;
  /** Tests of its workflows script every activity there is. */
  readonly isScripted: boolean;
}

const WORKERS = {
  'admission-worker': {
    service: 'admission',
    hub: 'apps/admission-worker/src/admission.activities.ts',
    functions: '{ ...admissionInputs, ...planAdmissionInputs },\n    {\n',
    blobs: 'deps',
    imports: `import { createAdmissionActivities } from '../admission.activities.js';
import type { AdmissionSteps } from '../admission.steps.js';
import type { SignedOutcomes } from '../receipt/signed-outcomes.js';`,
    activities: `createAdmissionActivities({
      steps: {} as AdmissionSteps,
      outcomes: {} as SignedOutcomes,
      blobs,
      onTrouble: () => undefined,
    })`,
    isScripted: true,
  },
  'finality-worker': {
    service: 'finality',
    hub: 'apps/finality-worker/src/finality.activities.ts',
    functions: '): UnsignedFinalityWork => ({\n',
    blobs: 'deps',
    imports: "import { createFinalityActivities, finalityWork, signedFinalityWork } from '../finality.activities.js';",
    activities: `createFinalityActivities(
      signedFinalityWork(
        finalityWork({ blobs } as Parameters<typeof finalityWork>[0]),
        {} as Parameters<typeof signedFinalityWork>[1],
      ),
      () => undefined,
    )`,
    isScripted: false,
  },
} satisfies Readonly<Record<string, Worker>>;

/**
 * Adds an activity with the anatomy of the house: type and schema of its input, service, activity, spec, and its place
 * in its worker. It answers how many bytes a launch's request has; what it does is its author's to change. No workflow
 * calls it yet.
 */
export default async function workerFeature(
  tree: WorkspaceTree,
  { name, app, line }: WorkerFeatureOptions,
): Promise<void> {
  const { service, hub, functions, blobs, imports, activities, isScripted } = WORKERS[app];
  const [Name, variable, Service] = [pascalCase(name), camelCase(name), pascalCase(service)];
  const words = { Name, name, variable, line, imports, activities };
  const filled = (role: string): string => fillTemplate(`worker-feature/${role}`, words);
  const folder = `apps/${app}/src/${name.slice(name.indexOf('-') + 1)}`;

  const contracts = 'libs/contracts/src';
  await addSource(tree, `${contracts}/orchestration/${name}.types.ts`, filled('types'));
  await addSource(tree, `${contracts}/activities/${name}.inputs.ts`, filled('inputs'));
  for (const role of ['service', 'activities', 'spec'])
    await addSource(tree, `${folder}/${name}.${role}.ts`, filled(role));

  const entry = `${contracts}/orchestration/index.ts`;
  tree.write(entry, `${textOf(tree, entry).trimEnd()}\nexport type * from './${name}.types.js';\n`);
  const types = `${contracts}/orchestration/${service}.types.ts`;
  const before = `export interface ${Service}Activities `;
  const source = textOf(tree, types);
  const extended = source.includes(`${before}extends `);
  tree.write(types, `import type { ${Name}Activities } from './${name}.types.js';\n${source}`);
  await editSource(
    tree,
    types,
    extended ? `${before}extends ` : before,
    `${before}extends ${Name}Activities${extended ? ', ' : ' '}`,
  );

  const inputs = `${contracts}/activities/${service}.inputs.ts`;
  const schemas = `inputsOf<${Service}Activities>()({\n`;
  await editSource(tree, inputs, schemas, `${schemas}${variable}: z.tuple([${variable}InputSchema]),\n`);
  await editSource(
    tree,
    inputs,
    "import { inputsOf } from './activity-inputs.js';\n",
    `import { inputsOf } from './activity-inputs.js';\nimport { ${variable}InputSchema } from './${name}.inputs.js';\n`,
  );
  await editSource(
    tree,
    'libs/workflows/src/operator/step-summaries.ts',
    '\n};\n',
    `\n${variable}: ${JSON.stringify(line)},\n};\n`,
  );

  const firstStep = 'judgeRequest: () => said(';
  const scripted = `${variable}: () => said('${name}', { requestBytes: 0 }),\n`;
  if (isScripted) await editSource(tree, SCRIPTED_STEPS, firstStep, `${scripted}${firstStep}`);

  await editSource(tree, hub, functions, `${functions}...${variable}Work(${blobs}),\n`);
  await editSource(
    tree,
    hub,
    "} from '@launch/worker';\n",
    `} from '@launch/worker';\nimport { ${variable}Work } from './${folder.split('/').at(-1)}/${name}.activities.js';\n`,
  );
}
