import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Json, OpenApi } from './openapi-document.js';
import { operationLinks, shownOperation } from './operations.js';
import type { SchemaNode } from './schema-tree.js';
import { variantNames } from './variant-names.js';

const FILE = path.resolve(import.meta.dirname, '../../../../../../docs/api/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApi;

const constant = (name: string, value: string): Json => ({ type: 'object', properties: { [name]: { const: value } } });
const named = (...variants: readonly Json[]): readonly string[] => variantNames(document, variants);

describe('The variants of a union', () => {
  it('are named by the value that tells them apart', () => {
    expect(named(constant('status', 'ready'), constant('status', 'waiting'))).toEqual(['status: ready', 'status: waiting']);
    expect(
      named({ properties: { kind: { enum: ['deploy', 'register'] } } }, { properties: { kind: { const: 'atomic' } } }),
    ).toEqual(['kind: deploy or register', 'kind: atomic']);
  });

  it('are named by the version of their schema first, and through references', () => {
    const names = named(
      { $ref: '#/components/schemas/CustomLaunchPlanResourceV1_1' },
      { $ref: '#/components/schemas/CustomLaunchPlanResourceV1_2' },
    );
    expect(names).toEqual([
      'schemaVersion: service.custom-launch-plan-resource.v1.1',
      'schemaVersion: service.custom-launch-plan-resource.v1.2',
    ]);
  });

  it('are named by their title, their component or their constant where no value tells them apart', () => {
    expect(named({ title: 'A page' }, { title: 'A text' })).toEqual(['A page', 'A text']);
    expect(named({ const: 10 }, { const: 20 })).toEqual(['10', '20']);
    expect(named({ type: 'string' }, { type: 'boolean' })).toEqual(['string', 'boolean']);
  });

  it('are named by members of their own', () => {
    expect(
      named(
        { properties: { proof: {}, at: {} }, required: ['at', 'proof'] },
        { properties: { code: {}, at: {} }, required: ['at', 'code'] },
      ),
    ).toEqual(['with proof', 'with code']);
  });

  it('have numbers where nothing tells them apart', () => {
    expect(named({ type: 'object' }, { type: 'object' })).toEqual(['object 1', 'object 2']);
    expect(named({}, {})).toEqual(['variant 1', 'variant 2']);
  });

  it('have a name in every operation of the service', () => {
    const unnamed: string[] = [];
    const visit = (id: string, { name, members }: SchemaNode): void => {
      if (/^variant \d+$|_[0-9a-f]{8}$/.test(name)) unnamed.push(`${id}: ${name}`);
      for (const one of members) visit(id, one);
    };
    for (const { id } of operationLinks(document)) {
      const { answers, bodies } = shownOperation(document, id, 'https://api.launch.example')!;
      for (const { schema } of [...bodies, ...answers.flatMap((answer) => answer.bodies)])
        if (schema !== null) visit(id, schema);
    }
    expect(unnamed).toEqual([]);
  });
});
