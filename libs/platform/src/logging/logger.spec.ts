import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { newRequestId, REQUEST_ID_PATTERN } from './request-id.js';

function captured(write: (logger: ReturnType<typeof createLogger>) => void): {
  text: string;
  line: Record<string, unknown>;
} {
  let text = '';
  write(createLogger({ service: 'spec', destination: { write: (line: string) => void (text += line) } }));
  return { text, line: JSON.parse(text.split('\n')[0] ?? '') };
}

describe('The logger', () => {
  it('writes JSON with the service and a readable level', () => {
    expect(captured((logger) => logger.info({ port: 1 }, 'ready')).line).toMatchObject({
      service: 'spec',
      level: 'info',
      msg: 'ready',
      port: 1,
    });
  });

  const hidden: [string, object][] = [
    ['a header', { req: { headers: { authorization: 'hunter2' } } }],
    ['a cookie', { headers: { cookie: 'hunter2', 'set-cookie': 'hunter2' } }],
    ['a key', { privateKey: 'hunter2', credential: { key: 'hunter2' } }],
    ['an API key header', { headers: { 'x-api-key': 'hunter2' } }],
    ['a password in a URL', { target: 'postgresql://launch:hunter2@127.0.0.1:5432/db' }],
    ['an error that quotes a URL', { err: new Error('connect postgresql://launch:hunter2@127.0.0.1/db') }],
    ['an error that quotes a token', { err: new Error('sent Authorization: Bearer hunter2hunter2') }],
    ['a private key', { pem: '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n' }],
  ];
  it.each(hidden)('hides %s', (_name, fields) => {
    const { text } = captured((logger) => logger.info(fields, 'with fields'));
    expect(text).toContain('redacted');
    expect(text).not.toContain('hunter2');
  });

  it('hides a token in the message itself and keeps hashes and addresses', () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const { text } = captured((logger) => logger.info({ hash, token: hash }, 'Bearer hunter2hunter2'));
    expect(text).not.toContain('hunter2');
    expect(text.split(hash)).toHaveLength(3);
  });
});

describe('newRequestId', () => {
  it('returns well-formed ids that do not repeat', () => {
    const ids = Array.from({ length: 1_000 }, newRequestId);
    for (const id of ids) expect(id).toMatch(REQUEST_ID_PATTERN);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
