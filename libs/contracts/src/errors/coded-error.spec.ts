import { describe, expect, it } from '@jest/globals';
import { codedErrors } from './coded-error.js';

class ProbeError extends codedErrors('ProbeError', { BUSY: true, BROKEN: false }) {}
class AnotherError extends codedErrors('AnotherError', { BUSY: true }) {}

describe('A coded error', () => {
  it('has its class, name, code and cause, and reports whether the call may succeed later', () => {
    const cause = new Error('socket');
    const busy = new ProbeError('BUSY', 'BUSY: the queue is full', { cause });
    expect(busy).toBeInstanceOf(ProbeError);
    expect(busy).toBeInstanceOf(Error);
    expect({ ...busy, message: busy.message, cause: busy.cause, text: String(busy) }).toEqual({
      name: 'ProbeError',
      code: 'BUSY',
      retryable: true,
      message: 'BUSY: the queue is full',
      cause,
      text: 'ProbeError: BUSY: the queue is full',
    });
    expect(new ProbeError('BROKEN').retryable).toBe(false);
  });

  it('has its code as message when the caller gives none', () => {
    expect(new ProbeError('BROKEN').message).toBe('BROKEN');
  });

  it('is an instance of its own class only', () => {
    expect(new AnotherError('BUSY')).not.toBeInstanceOf(ProbeError);
  });

  it('does not compile with a code outside its table', () => {
    // @ts-expect-error no such code
    expect(new ProbeError('UNKNOWN').retryable).toBe(false);
  });
});
