import { expect, it } from '@jest/globals';
import { expectOneExplanation } from './fixtures/explained-launches.fixture.js';

const ENDS_WITHIN_MS = 900_000;

it(
  'Library, terminal, wallet page and descriptor show the same values of a hundred launches, field by field',
  async () => {
    expect(await expectOneExplanation(100)).toEqual({
      'custom launch': 25,
      'sequential plan': 100,
      'atomic plan': 25,
      'multi-role launch': 25,
    });
  },
  ENDS_WITHIN_MS,
);
