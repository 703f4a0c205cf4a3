import { expect, it } from '@jest/globals';
import { expectOneExplanation } from './fixtures/explained-launches.fixture.js';

it('Library, terminal, wallet page and descriptor show the same values of a launch of each form, field by field', async () => {
  expect(await expectOneExplanation(4)).toEqual({
    'custom launch': 1,
    'sequential plan': 4,
    'atomic plan': 1,
    'multi-role launch': 1,
  });
});
