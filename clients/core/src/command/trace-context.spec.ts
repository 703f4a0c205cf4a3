import { describe, expect, it } from '@jest/globals';
import { traceHeaders } from './trace-context.js';

const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceHeaders', () => {
  it('continues the trace that TRACEPARENT names', () => {
    expect(traceHeaders({ TRACEPARENT: GIVEN })).toEqual({ traceparent: GIVEN });
  });

  it.each([
    ['the variable is absent', undefined],
    ['the variable is empty', ''],
    ['the trace id has zeros only', GIVEN.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`)],
    ['the parent id has zeros only', GIVEN.replace(/-[0-9a-f]{16}-/, `-${'0'.repeat(16)}-`)],
    ['the version is another one', GIVEN.replace('00', '01')],
    ['the variable has a second line', `${GIVEN}\nx-other: 1`],
  ])('begins a trace of its own if %s', (_case, TRACEPARENT) => {
    const [first, second] = [traceHeaders({ TRACEPARENT }), traceHeaders({ TRACEPARENT })];
    expect(first.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(first.traceparent).not.toContain('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(second).not.toEqual(first);
  });
});
