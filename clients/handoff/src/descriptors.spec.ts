import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROUTER_V1_ABI, ROUTER_V2_ABI } from '@launch/evm';
import type { AbiFunction, AbiParameter } from 'viem';
import { FACT_LABELS } from './explain-launch.js';
import { descriptorOf, shownBy } from './fixtures/descriptors.fixture.js';
import { deploymentOf, signedPlan } from './fixtures/signed-handoff.fixture.js';
import { reviewHandoff } from './review-handoff.js';

const CASES = [
  { router: 'v1', abi: ROUTER_V1_ABI, names: ['deployComponent', 'launch', 'register'] },
  { router: 'v2', abi: ROUTER_V2_ABI, names: ['launch'] },
] as const;

/** Returns a parameter as a key of `display.formats` writes it. */
const written = (parameter: AbiParameter): string => `${typeOf(parameter)} ${parameter.name}`;
const typeOf = (parameter: AbiParameter): string =>
  'components' in parameter
    ? `(${parameter.components.map(written).join(',')})${parameter.type.slice('tuple'.length)}`
    : parameter.type;

/** Returns the paths that a format must show or leave out: every parameter, and every member of a struct. */
const pathsOf = (inputs: readonly AbiParameter[]): string[] =>
  inputs.flatMap((input) =>
    input.type === 'tuple' && 'components' in input
      ? input.components.map(({ name }) => `#.${input.name}.${name}`)
      : [`#.${input.name}`],
  );

/** The schema of the standard's linter: `erc7730 schema`, version 1.0.12 of the Python package. */
const SCHEMA = JSON.parse(readFileSync(new URL('fixtures/erc7730.schema.json', import.meta.url), 'utf8')) as object;

describe.each(CASES)('The ERC-7730 descriptor of router $router', ({ router, abi, names }) => {
  const { context, display } = descriptorOf(router);
  const functions = abi.filter(
    (item) => item.type === 'function' && (names as readonly string[]).includes(item.name),
  ) as readonly AbiFunction[];

  it('has the functions of the router that a wallet calls', () => {
    expect(context.contract.abi).toEqual(functions);
    expect(Object.keys(display.formats).sort()).toEqual(
      functions.map(({ name, inputs }) => `${name}(${inputs.map(written).join(',')})`).sort(),
    );
  });

  it('shows or leaves out every parameter, once', () => {
    for (const { name, inputs } of functions) {
      const [, format] = Object.entries(display.formats).find(([key]) => key.startsWith(`${name}(`))!;
      const shown = format.fields.map(({ path }) => path);
      expect(format.required).toEqual(shown);
      const ofCall = [...shown.filter((path) => path.startsWith('#')), ...format.excluded];
      expect(ofCall.toSorted()).toEqual(pathsOf(inputs).toSorted());
    }
  });

  it('has the labels of the explanation, short enough for a small screen', () => {
    const labels = Object.values(display.formats).flatMap(({ fields }) => fields.map(({ label }) => label));
    expect(labels.filter((label) => !(Object.values(FACT_LABELS) as string[]).includes(label))).toEqual([]);
    expect(labels.filter((label) => label.length > 20)).toEqual([]);
  });

  it('satisfies the schema of the linter of ERC-7730 once it names a deployment; a field without a label does not', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);
    const read = descriptorOf(router);
    const deployments = [{ chainId: 4663, address: `0x${'ab'.repeat(20)}` }];
    const descriptor = { ...read, context: { ...read.context, contract: { ...read.context.contract, deployments } } };
    validate(descriptor);
    expect(validate.errors).toBeNull();
    const unlabelled = JSON.parse(
      JSON.stringify(descriptor, (key, value: unknown) => (key === 'label' ? undefined : value)),
    ) as object;
    expect(validate(unlabelled)).toBe(false);
  });

  it('names no deployment, which its operator adds', () => expect(context.contract.deployments).toEqual([]));
});

it('A descriptor shows the values of the explanation for every step of a plan', async () => {
  const { bytes, context, steps } = await signedPlan('sequential');
  for (const { stepId, authorization } of steps) {
    const claim = { handoff: authorization, stepId, requestBytes: bytes, context, trusted: [deploymentOf(context)] };
    const transaction = reviewHandoff({ family: 'plan', ...claim }).transaction!;
    const facts = new Map(transaction.facts.map(({ label, value }) => [label, value]));
    const shown = shownBy(descriptorOf('v1'), transaction.calls[0]!);
    expect(shown.size).toBe(stepId === 'register' ? 9 : 5);
    expect(new Map([...shown.keys()].map((label) => [label, facts.get(label)]))).toEqual(shown);
  }
});
