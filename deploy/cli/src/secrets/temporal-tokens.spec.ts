import { createPublicKey, generateKeyPairSync, verify, type JsonWebKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { issueToken, TEMPORAL_PERMISSIONS, TOKEN_HOLDERS, tokenKeySet } from './temporal-tokens.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const NOW = new Date('2027-01-01T00:00:00Z');
const json = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('A token for Temporal', () => {
  it('is verified by the key set, names its holder and what it may do, and expires after a year', () => {
    const [head, body, signature] = issueToken(privateKey, 'module-builder', NOW).split('.');
    const { keys } = JSON.parse(tokenKeySet(privateKey)) as { keys: (JsonWebKey & { kid: string })[] };
    expect(json(head)).toEqual({ alg: 'ES256', typ: 'JWT', kid: keys[0]!.kid });
    expect(json(body)).toEqual({
      sub: 'module-builder',
      permissions: ['modules:write'],
      iat: 1_798_761_600,
      exp: 1_798_761_600 + 366 * 86_400,
    });
    const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
    const bytes = Buffer.from(`${head}.${body}`);
    const genuine = Buffer.from(signature!, 'base64url');
    expect(verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, genuine)).toBe(true);
    const other = createPublicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    expect(verify('sha256', bytes, { key: other, dsaEncoding: 'ieee-p1363' }, genuine)).toBe(false);
  });

  it('publishes no private part of its key', () => {
    expect(Object.keys((JSON.parse(tokenKeySet(privateKey)) as { keys: object[] }).keys[0]!).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
  });

  it('works in the namespace of custody for custody alone, and in one of launches and modules for few', () => {
    const holding = (permission: string): string[] =>
      TOKEN_HOLDERS.filter((holder) => (TEMPORAL_PERMISSIONS[holder] as readonly string[]).includes(permission));
    expect(holding('custody:write')).toEqual(['permit-custody']);
    expect(holding('launches:write').filter((holder) => holding('modules:write').includes(holder))).toEqual([
      'api-gateway',
      'promote-workers',
    ]);
    expect(holding('temporal-system:admin')).toEqual(['operator']);
  });
});
