import { describe, expect, it } from '@jest/globals';
import { unknownDocument } from './documentation.js';
import { menuOf } from './menu.js';
import { nearNames } from './near-names.js';

const LISTS = {
  guides: [
    { to: '/docs/guides/launch-cli', title: 'The launch CLI', summary: 'Commands' },
    { to: '/docs/guides/finality', title: 'Finality', summary: 'Stages' },
  ],
  reference: [{ to: '/docs/reference/limits', title: 'Limits', summary: 'Sizes' }],
};

describe('An unknown document', () => {
  it('is near to documents with a similar name', () => {
    expect(unknownDocument('lanch-cli', LISTS).near.map(({ to }) => to)).toEqual(['/docs/guides/launch-cli']);
    expect(unknownDocument('finalty', LISTS).near[0]?.to).toBe('/docs/guides/finality');
  });

  it('is near to nothing if no name is similar', () => {
    expect(unknownDocument('zzzzzz', LISTS).near).toEqual([]);
    expect(nearNames('', ['abc'])).toEqual([]);
  });
});

describe('The menu of the documentation', () => {
  it('lists the documents that the service publishes', () => {
    const titles = menuOf({ is: 'value', value: LISTS }).map(({ title, links }) => [title, links.length]);
    expect(titles).toEqual([
      ['Start', 3],
      ['Guides', 2],
      ['API', 2],
      ['Reference', 1],
    ]);
  });

  it('has the other pages while the service does not answer', () => {
    const menu = menuOf({ is: 'unavailable', code: 'X', message: 'down', requestId: null });
    expect(menu.flatMap(({ links }) => links.map(({ to }) => to))).toContain('/docs/errors');
  });
});
