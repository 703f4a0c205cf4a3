import { describe, expect, it } from '@jest/globals';
import { callerOf } from './caller.js';

const link = (text: string) => ({ url: new URL(text) });
const OF_LAUNCH =
  'temporal:///namespaces/launches/workflows/admit%2F3f2b/0198/history?eventID=5&referenceType=EventReference';

describe('The caller of an operation', () => {
  it('is the workflow of the link that the server adds', () => {
    expect(callerOf([link(OF_LAUNCH)])).toEqual({ namespace: 'launches', workflowId: 'admit/3f2b' });
  });

  it.each([
    ['no link', []],
    ['two links, one of which is not the server’s', [link(OF_LAUNCH), link(OF_LAUNCH)]],
    ['a link to something else', [link('https://example.org/namespaces/launches/workflows/a/b/history')]],
    ['a link without a workflow', [link('temporal:///namespaces/launches')]],
    ['a name that cannot be decoded', [link('temporal:///namespaces/%ff/workflows/a/b/history')]],
  ])('is unknown with %s', (_what, links) => {
    expect(callerOf(links)).toBeNull();
  });
});
