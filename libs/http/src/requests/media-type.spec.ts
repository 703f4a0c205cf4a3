import { describe, expect, it } from '@jest/globals';
import { wantsProblemDetails } from './media-type.js';

describe('Problem details', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/*', false],
    ['application/problem+json', true],
    ['text/html, application/problem+json;q=0.5', true],
    ['application/problem+json;q=0', false],
    ['APPLICATION/PROBLEM+JSON', true],
    ['application/problem+jsonx', false],
  ])('are selected by Accept %j: %s', (accept, wanted) => expect(wantsProblemDetails(accept)).toBe(wanted));
});
