import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, keccak256 } from 'viem';
import { familyIdOf, packageIdOf } from './identities.js';
import { modulePackage } from './module-package.fixture.js';

const AUTHOR = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

describe('The ids of a module', () => {
  it.each(['fee-module', 'a'.repeat(31), 'a'.repeat(32), 'a'.repeat(33), 'a'.repeat(64)])(
    'hash author and family %s as the ABI encodes them',
    (family) => {
      const encoded = encodeAbiParameters([{ type: 'address' }, { type: 'string' }], [AUTHOR, family]);
      expect(familyIdOf(AUTHOR, family)).toBe(keccak256(encoded));
    },
  );

  it('are the same for every letter case of the author', () => {
    expect(familyIdOf('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'x1')).toBe(familyIdOf(AUTHOR, 'x1'));
  });

  it('are equal for equal packages in every order of their members, and differ for another file', () => {
    const descriptor = modulePackage();
    const shuffled = Object.fromEntries(Object.entries(descriptor).reverse()) as typeof descriptor;
    expect(packageIdOf(shuffled)).toBe(packageIdOf(descriptor));
    expect(packageIdOf(modulePackage({ 'README.md': 'other' }))).not.toBe(packageIdOf(descriptor));
  });
});
