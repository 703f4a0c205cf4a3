import { expect, it } from '@jest/globals';
import { encodeBase64 } from './base64-encoder.js';

it.each([0, 1, 2, 3, 100, 8_191, 8_192, 8_193, 70_000])(
  'Base64 of %i bytes is the text that Node encodes.',
  (length) => {
    const bytes = Buffer.from(Array.from({ length: length + 1 }, (_, index) => (index * 31) % 251)).subarray(1);
    expect(encodeBase64(bytes)).toBe(bytes.toString('base64'));
  },
);
