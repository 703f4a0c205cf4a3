import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { customLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { parseStrictJson } from '@launch/contracts/json';
import { reviewedArguments } from './reviewed-arguments.js';

const FILE = new URL('../../../launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const { request } = parseStrictJson(readFileSync(FILE)) as { readonly request: unknown };
const { graphBundle, projectMetadata } = customLaunchRequestSchema.parse(request);
const token = graphBundle.components[1]!;

describe('reviewedArguments', () => {
  it('names the arguments of a reviewed contract as its source does', () => {
    expect(reviewedArguments(token.creationBytecode, token.constructorArgs)).toMatchObject({
      name: projectMetadata.name,
      symbol: projectMetadata.symbol,
    });
  });

  it('names none of code that was not reviewed, and none of another encoding', () => {
    expect(reviewedArguments('0x00', token.constructorArgs)).toBeNull();
    expect(reviewedArguments(token.creationBytecode, `${token.constructorArgs}00`)).toBeNull();
  });
});
