import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, type AbiParameter } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { bytesForText } from '../events/abi-values.js';
import { constructorArgumentsFault } from '../match/constructor-arguments.js';
import { decodeArguments, encodeArguments } from './abi-arguments.js';
import { inventoryTemplates } from './inventory.constructors.js';
import { INVENTORY_TEMPLATE_SET } from './inventory.template-set.js';

const { token } = inventoryTemplates(INVENTORY_TEMPLATE_SET);
const abi = [{ type: 'constructor', inputs: token.constructor }];
const INITIALIZER = `0x${'12'.repeat(20)}` as const;

describe('a name among constructor arguments', () => {
  it.each([
    'Atlas',
    '\ufeffAtlas',
    '\ufeff',
    'At\ufefflas',
    '',
    '\u0000',
    '\u202eA',
    '🜁',
    'e\u0301',
    '\ufffd',
    'x'.repeat(33),
  ])('is packed, matched and read back as the same text: %j', (name) => {
    const packed = encodeArguments(token, [name, 'ATL', 10n ** 27n, INITIALIZER]);
    expect(constructorArgumentsFault(abi, packed)).toBeNull();
    expect(decodeArguments(token, packed)).toEqual([name, 'ATL', 10n ** 27n, INITIALIZER]);
  });

  it.each<Hex>(['0xff', '0xc3', '0xeda080', '0xf8888080'])(
    'matches, but decodes to no request, when it is not UTF-8: %s',
    (name) => {
      const parameters = bytesForText(token.constructor as readonly AbiParameter[]);
      const packed = encodeAbiParameters(parameters, [name, '0x41', 1n, INITIALIZER]);
      expect(constructorArgumentsFault(abi, packed)).toBeNull();
      expect(decodeArguments(token, packed)).toBeNull();
    },
  );

  it('matches nothing and is not decoded if other bytes follow it', () => {
    const packed = `${encodeArguments(token, ['Atlas', 'ATL', 1n, INITIALIZER])}00` as const;
    expect(constructorArgumentsFault(abi, packed)).toBe('not-canonical-abi');
    expect(decodeArguments(token, packed)).toBeNull();
  });
});
