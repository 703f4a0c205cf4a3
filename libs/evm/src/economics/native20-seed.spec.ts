import { describe, expect, it } from '@jest/globals';
import { customLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { judgedCustomLaunch } from '../launch-request/judged-custom-launch.js';
import { parseStrictJson } from '@launch/contracts/json';
import { readFileSync } from 'node:fs';
import { recogniseEconomics } from './recognise-economics.js';

const FILE = new URL('../../../launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const document = parseStrictJson(readFileSync(FILE)) as { context: unknown; request: unknown };
const context = customLaunchContextSchema.parse(document.context);
const body = customLaunchRequestSchema.parse(document.request);
const request = judgedCustomLaunch(body, context);
const BUY = 10n ** 16n;

describe('the economics of native20-seed@1', () => {
  it('are recognised under a context that publishes them, as a separate document', () => {
    expect(recogniseEconomics(request)).toMatchObject({
      kind: 'recognised',
      recipe: { id: 'native20-seed', version: '1' },
      economics: { schemaVersion: 'service.custom-launch-economics.v1', buy: { initialBuyWei: String(BUY) } },
    });
  });

  it('are not recognised under a context that publishes the same code as another recipe', () => {
    const [recipe] = context.profile.recipes;
    const profile = { ...context.profile, recipes: [{ ...recipe!, id: 'another' }] };
    expect(recogniseEconomics({ ...request, context: { ...context, profile } }).kind).toBe('unrecognised');
  });
});
