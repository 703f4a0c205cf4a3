import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { formatAbiItem, parseAbiItem } from 'abitype';
import { toFunctionSelector } from 'viem/utils';
import { LAUNCH_ERRORS, LAUNCH_ERRORS_BY_SELECTOR, type AbiError } from './launch-errors.abi.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const signature = (error: AbiError): string => formatAbiItem(error);
const known = new Set(LAUNCH_ERRORS.map(signature));

describe('the errors with which a launch can revert', () => {
  it.each([
    'MultiRoleLaunchStampRouterV2',
    'ServiceLaunchStampRouterV1',
    'Native20',
    'FeeVault',
    'InventoryHook',
    'InventoryInitializer',
    'InventoryToken',
    'PoolManager',
  ])('include every error of the compiled %s', (contract) => {
    const { abi } = JSON.parse(readFileSync(path.join(ROOT, 'solidity/artifacts', `${contract}.json`), 'utf8')) as {
      abi: AbiError[];
    };
    const errors = abi.filter(({ type }) => type === 'error').map((error) => signature(error));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((error) => !known.has(error))).toEqual([]);
  });

  it('include every error that V4’s sources and their libraries declare', () => {
    const sources = path.join(ROOT, 'node_modules/@uniswap/v4-core/src');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.sol') && !file.startsWith('test'),
    );
    const declared = files.flatMap((file) =>
      [...readFileSync(path.join(sources, file), 'utf8').matchAll(/^\s*(error \w+\([^)]*\));/gm)].map(
        ([, text]) => text!,
      ),
    );
    expect(declared.length).toBeGreaterThan(40);
    const missing = declared.filter(
      (text) => !known.has(signature(parseAbiItem(text as 'error E()') as unknown as AbiError)),
    );
    expect(missing).toEqual([]);
  });

  it('have distinct selectors', () => {
    expect(LAUNCH_ERRORS_BY_SELECTOR.size).toBe(LAUNCH_ERRORS.length);
    expect(LAUNCH_ERRORS_BY_SELECTOR.get(toFunctionSelector('TooFewTokens(uint256,int128)'))?.name).toBe(
      'TooFewTokens',
    );
  });
});
