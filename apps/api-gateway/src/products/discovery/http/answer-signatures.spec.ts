import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AnswerSigner, contentDigestOf, publicHalfOf } from '@launch/http';
import { readKeySet, verifyAnswer, type ReceivedAnswer } from '@launch/testing';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const bytes = (text: string) => new TextEncoder().encode(text);
const PLACE = { contentType: 'application/json; charset=utf-8', path: '/feed', target: '/feed?limit=2' };
const NOW = 1_795_000_000_500;

describe('A signer of answers', () => {
  const body = bytes('{"items":[]}');
  const received = (signer: AnswerSigner, target = PLACE.target): ReceivedAnswer => ({
    status: 200,
    headers: { 'content-type': PLACE.contentType, ...signer.headersOf(body, { ...PLACE, target }) },
    body,
    target,
  });

  it('signs a page once for each of its queries', () => {
    let now = NOW;
    const signer = new AnswerSigner({ key: newKey(), others: [] }, () => (now += 10_000));
    const first = signer.headersOf(body, PLACE);
    expect(signer.headersOf(body, PLACE)).toBe(first);
    const other = signer.headersOf(body, { ...PLACE, target: '/feed?limit=3' });
    expect(other).not.toEqual(first);
    expect(other['content-digest']).toBe(first['content-digest']);
    for (let limit = 10; limit < 60; limit += 1) signer.headersOf(body, { ...PLACE, target: `/feed?limit=${limit}` });
    // Evicted among many, and signed again with a later time.
    expect(signer.headersOf(body, PLACE)['signature-input']).not.toBe(first['signature-input']);
  });

  it.each(['/feed?limit=2', '/feed', '/feed?', '/feed?cursor=a%2Fb&limit=1', '/feed?limit=1&cursor=a%2Fb'])(
    'gives %s a signature that any reader can verify',
    (target) => {
      const signer = new AnswerSigner({ key: newKey(), others: [] }, () => NOW);
      expect(verifyAnswer(received(signer, target), readKeySet({ keys: signer.keys }))).toEqual({
        ok: true,
        created: 1_795_000_000,
      });
    },
  );

  it('publishes the signing key first, and once', () => {
    const [key, next] = [newKey(), newKey()];
    const signer = new AnswerSigner({ key, others: [publicHalfOf(next), publicHalfOf(key)] });
    expect(signer.keys).toEqual([publicHalfOf(key), publicHalfOf(next)]);
  });

  it('rotates its key without refusing a page of either key at any time', () => {
    const [old, next] = [newKey(), newKey()];
    const steps = [
      new AnswerSigner({ key: old, others: [] }),
      new AnswerSigner({ key: old, others: [publicHalfOf(next)] }),
      new AnswerSigner({ key: next, others: [publicHalfOf(old)] }),
      new AnswerSigner({ key: next, others: [] }),
    ];
    const accepts = steps.map((published) =>
      steps.map((signer) => verifyAnswer(received(signer), readKeySet({ keys: published.keys })).ok),
    );
    expect(accepts).toEqual([
      [true, true, false, false],
      [true, true, true, true],
      [true, true, true, true],
      [false, false, true, true],
    ]);
  });

  it('without a key returns the digest alone', () => {
    const signer = new AnswerSigner(null);
    expect(signer.keys).toBeNull();
    expect(signer.headersOf(body, PLACE)).toEqual({ 'content-digest': contentDigestOf(body) });
  });
});

describe('A verifier', () => {
  const body = bytes('{"items":[1]}');
  const signer = new AnswerSigner({ key: newKey(), others: [] }, () => NOW);
  const keys = readKeySet({ keys: signer.keys });
  const whole: ReceivedAnswer = {
    status: 200,
    headers: { 'content-type': PLACE.contentType, ...signer.headersOf(body, PLACE) },
    body,
    target: PLACE.target,
  };
  const withHeader = (name: string, change: (value: string) => string): ReceivedAnswer => ({
    ...whole,
    headers: { ...whole.headers, [name]: change(whole.headers[name] ?? '') },
  });

  it.each<[string, ReceivedAnswer, string]>([
    ['another byte of the body', { ...whole, body: bytes('{"items":[2]}') }, 'content-digest'],
    [
      'a body and a digest that fit each other',
      { ...withHeader('content-digest', () => contentDigestOf(bytes('x'))), body: bytes('x') },
      'signature',
    ],
    ['another status', { ...whole, status: 203 }, 'signature'],
    ['another media type', withHeader('content-type', () => 'text/html'), 'signature'],
    ['another path', { ...whole, target: '/other?limit=2' }, 'signature'],
    ['another query', { ...whole, target: '/feed?limit=3' }, 'signature'],
    ['no query', { ...whole, target: '/feed' }, 'signature'],
    [
      'a later time',
      withHeader('signature-input', (input) => input.replace('created=1795000000', 'created=1795000001')),
      'signature',
    ],
    [
      'a key that is not published',
      withHeader('signature-input', (input) =>
        input.replace(/keyid="."/, 'keyid="x"').replace(/keyid="[^"]+"/, 'keyid="unknown"'),
      ),
      'keyid',
    ],
    [
      'another algorithm',
      withHeader('signature-input', (input) => input.replace('alg="ed25519"', 'alg="hmac-sha256"')),
      'alg',
    ],
    ['another purpose', withHeader('signature-input', (input) => input.replace('service-answer-v1', 'another')), 'tag'],
    [
      'a component left out',
      withHeader('signature-input', (input) => input.replace(' "content-digest"', '')),
      'components',
    ],
    [
      'components in another order',
      withHeader('signature-input', (input) => input.replace('"@status" "content-type"', '"content-type" "@status"')),
      'signature',
    ],
    [
      'another signature',
      withHeader('signature', (value) => value.replace(/:./, (start) => (start === ':A' ? ':B' : ':A'))),
      'signature',
    ],
    ['no signature', withHeader('signature', () => ''), 'signature'],
    ['no digest', withHeader('content-digest', () => ''), 'content-digest'],
  ])('refuses %s', (_what, answer, reason) => {
    expect(verifyAnswer(answer, keys)).toEqual({ ok: false, reason });
  });

  it('refuses the signature of another key under this one’s name', () => {
    const forger = new AnswerSigner({ key: newKey(), others: [] }, () => NOW);
    const forged = { ...whole, headers: { ...whole.headers, ...forger.headersOf(body, PLACE) } };
    const input = (forged.headers['signature-input'] ?? '').replace(
      /keyid="[^"]+"/,
      `keyid="${signer.keys?.[0]?.kid}"`,
    );
    expect(verifyAnswer({ ...forged, headers: { ...forged.headers, 'signature-input': input } }, keys)).toEqual({
      ok: false,
      reason: 'signature',
    });
  });
});
