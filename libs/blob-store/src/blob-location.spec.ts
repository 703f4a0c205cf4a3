import { describe, expect, it } from '@jest/globals';
import { blobLocation } from './index.js';

describe('The location of blobs', () => {
  it.each([
    ['/var/lib/launch/blobs', { kind: 'files', dir: '/var/lib/launch/blobs' }],
    [
      's3://launch-blobs?region=eu-central-1',
      { kind: 's3', bucket: 'launch-blobs', prefix: '', region: 'eu-central-1', isPathStyle: false },
    ],
    [
      's3://blobs/a/b/?region=eu-west-1&endpoint=http://127.0.0.1:8333&path-style=true',
      {
        kind: 's3',
        bucket: 'blobs',
        prefix: 'a/b/',
        region: 'eu-west-1',
        isPathStyle: true,
        endpoint: 'http://127.0.0.1:8333',
      },
    ],
  ])('is a folder or a bucket with a prefix: %s.', (value, location) => {
    expect(blobLocation().parse(value)).toEqual(location);
  });

  it.each([
    '',
    's3://blobs',
    's3://blobs?region=',
    's3://blobs?region=eu-west-1&region=eu-west-2',
    's3://blobs?region=eu-west-1&pathstyle=true',
    's3://blobs?region=eu-west-1&path-style=yes',
    's3://blobs?region=eu-west-1&endpoint=ftp://host',
    's3://blobs/../x y?region=eu-west-1',
    's3://blobs/a//b?region=eu-west-1',
    's3://Blobs?region=eu-west-1',
    's3://key:secret@blobs?region=eu-west-1',
    'https://blobs.s3.amazonaws.com/',
  ])('is neither: %j.', (value) => {
    expect(blobLocation().safeParse(value).success).toBe(false);
  });
});
