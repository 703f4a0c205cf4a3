import { describe, expect, it } from '@jest/globals';
import { coinOf, provisional, SOURCES } from './coins.fixture.js';
import { contractsOf } from './components.js';

const rolesOf = (source: string): readonly string[] => contractsOf(coinOf(source)).map(({ role }) => role);

describe('The contracts of a coin', () => {
  it('have the roles of the stamp of router V2, with proven code hashes.', () => {
    const contracts = contractsOf(coinOf('custom-multi-role-v2'));
    expect(contracts.map(({ role }) => role)).toEqual([
      'router that stamped it',
      'token and hook',
      'fee vault',
      'pool manager',
    ]);
    expect(contracts.filter(({ isProven }) => isProven)).toHaveLength(3);
  });
  it('have the names of the launch request where no stamp in the feed has roles.', () => {
    expect(rolesOf('custom-router-v1')).toEqual([
      'router that stamped it',
      'initializer',
      'token',
      'hook',
      'role not recorded',
      'pool manager',
    ]);
  });
  it('include the maker and the custody of a Foundation coin.', () => {
    expect(rolesOf('module-foundation-v1 V3')).toEqual(
      expect.arrayContaining(['factory that made it', 'custody of its liquidity', 'token', 'hook']),
    );
  });
  it.each(SOURCES)('are each listed once: %s.', (source) => {
    const accounts = contractsOf(coinOf(source)).map(({ account }) => account);
    expect(new Set(accounts).size).toBe(accounts.length);
  });
  it('are unknown before the launch is final.', () => {
    expect(contractsOf(provisional(coinOf('custom-router-v1')))).toEqual([]);
  });
});
