import { describe, expect, it } from '@jest/globals';
import { walletChoices } from './wallet-choice.js';

const ethereum = { uid: 'u0', id: 'injected', name: 'Injected' };

describe('The wallets to offer', () => {
  it('are the announced ones, without the unnamed wallet that is one of them', () => {
    const announced = { uid: 'u1', id: 'com.one', name: 'One' };
    expect(walletChoices([ethereum, announced], true)).toEqual([
      { uid: 'u1', name: 'One', origin: 'com.one', position: null },
    ]);
  });

  it('are the wallet at window.ethereum where no other is announced, and none without it', () => {
    expect(walletChoices([ethereum], true)).toEqual([
      { uid: 'u0', name: 'Browser wallet', origin: 'window.ethereum', position: null },
    ]);
    expect(walletChoices([ethereum], false)).toEqual([]);
  });

  it('with one name are told apart by their domain name', () => {
    const choices = walletChoices(
      [
        { uid: 'u1', id: 'com.one', name: 'Wallet' },
        { uid: 'u2', id: 'com.two', name: 'Wallet' },
      ],
      true,
    );
    expect(choices.map(({ origin, position }) => [origin, position])).toEqual([
      ['com.one', null],
      ['com.two', null],
    ]);
  });

  it('with one name and one domain name are told apart by their position', () => {
    const choices = walletChoices(
      [
        { uid: 'u1', id: 'com.one', name: 'Wallet' },
        { uid: 'u2', id: 'com.two', name: 'Wallet' },
        { uid: 'u3', id: 'com.one', name: 'Wallet' },
      ],
      true,
    );
    expect(choices.map(({ uid, position }) => [uid, position])).toEqual([
      ['u1', 1],
      ['u2', null],
      ['u3', 2],
    ]);
  });
});
