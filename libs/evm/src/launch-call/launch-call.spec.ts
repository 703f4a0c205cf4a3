import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { formatAbi, type Abi } from 'abitype';
import { concatHex, keccak256, toBytes } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { MAX_LAUNCH_CALLDATA_BYTES } from './canonical-calldata.js';
import { calldataByteLength, decodeLaunchCalldata, encodeLaunchCalldata } from './launch-calldata.js';
import {
  ROUTER_V2_PROTOCOL,
  artifactHash,
  callHash,
  childHash,
  componentHash,
  componentProof,
  externalHash,
  graphHash,
  onchainLaunchId,
  poolHash,
  poolId,
  stampProof,
} from './launch-hashes.js';
import type { LaunchCall } from './launch.types.js';
import { ROUTER_V2_ABI } from './router-v2.abi.js';
import { sampleCall, samplePermit, sampleRouter } from './sample-launch.fixture.js';

const artifactUrl = new URL('../../../../solidity/artifacts/MultiRoleLaunchStampRouterV2.json', import.meta.url);
const word = (value: bigint | number | string): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
const hashOf = (...words: (bigint | number | string)[]): Hex => keccak256(`0x${words.map(word).join('')}`);
const code = (text: string): Error => expect.objectContaining({ code: text }) as unknown as Error;

describe('The ABI of the router', () => {
  it('equals that of the compiled contract', () => {
    const artifact = JSON.parse(readFileSync(artifactUrl, 'utf8')) as { abi: Abi };
    expect([...formatAbi(ROUTER_V2_ABI)].sort()).toEqual([...formatAbi(artifact.abi)].sort());
    expect(parameterNames(ROUTER_V2_ABI)).toEqual(parameterNames(artifact.abi));
  });

  function parameterNames(abi: Abi): unknown {
    const strip = (parameter: {
      name?: string | undefined;
      type: string;
      components?: readonly unknown[];
    }): unknown => ({
      name: parameter.name ?? '',
      type: parameter.type,
      components: (parameter.components as never[] | undefined)?.map(strip),
    });
    return abi
      .map((item) => [
        'name' in item ? item.name : item.type,
        'inputs' in item ? item.inputs.map(strip) : [],
        'outputs' in item ? item.outputs.map(strip) : [],
      ])
      .sort((left, right) => String(left[0]).localeCompare(String(right[0])));
  }
});

describe('The hashes of a launch call', () => {
  const [component] = sampleCall.components;
  const [child] = sampleCall.children;
  const [external] = sampleCall.externals;
  const { poolKey } = sampleCall;
  const poolWords = [poolKey.currency0, poolKey.currency1, poolKey.fee, poolKey.tickSpacing, poolKey.hooks];

  it('cover every word of components, children and externals', () => {
    expect(componentHash(component!)).toBe(
      hashOf(3, component!.salt, keccak256(component!.initCode), component!.runtimeCodeHash),
    );
    expect(childHash(child!)).toBe(hashOf(0, 16, child!.account, child!.runtimeCodeHash));
    expect(externalHash(external!)).toBe(hashOf(32, external!.account, external!.runtimeCodeHash));
  });

  it('cover every word of the graph', () => {
    const components = sampleCall.components.map(componentHash);
    expect(graphHash(sampleCall)).toBe(
      hashOf(0x60, 0xc0, 0x100, 2, ...components, 1, childHash(child!), 1, externalHash(external!)),
    );
  });

  it('cover the price of the pool, which the pool id does not', () => {
    expect(poolHash(sampleCall)).toBe(hashOf(...poolWords, sampleCall.sqrtPriceX96));
    expect(poolId(poolKey)).toBe(hashOf(...poolWords));
  });

  it('extend the sign of a negative tick spacing', () => {
    expect(poolId({ ...poolKey, tickSpacing: -1 })).toBe(
      hashOf(...poolWords.slice(0, 3), 2n ** 256n - 1n, poolKey.hooks),
    );
  });

  it('cover the call as one tuple with its leading offset', () => {
    const { selector, words } = splitCalldata();
    expect(selector).toBe(keccak256(toBytes(launchSignature)).slice(0, 10));
    const start = Number(BigInt(`0x${words[0]}`)) / 32;
    const end = Number(BigInt(`0x${words[13]}`)) / 32;
    expect(callHash(sampleCall)).toBe(
      keccak256(concatHex([`0x${word(0x20)}`, `0x${words.slice(start, end).join('')}`])),
    );
  });

  it('cover artifact, launch id and proofs', () => {
    const permitWords = Object.values(samplePermit) as (bigint | string)[];
    const id = onchainLaunchId(sampleRouter, samplePermit.controller, samplePermit.nonce);
    expect(artifactHash(sampleCall)).toBe(hashOf(graphHash(sampleCall), poolHash(sampleCall), callHash(sampleCall)));
    expect(ROUTER_V2_PROTOCOL).toBe(keccak256(toBytes('service.multi-role-launch-stamp-router.v2')));
    expect(id).toBe(hashOf(ROUTER_V2_PROTOCOL, 4663n, sampleRouter.router, samplePermit.controller, 5n));
    expect(stampProof(id, samplePermit)).toBe(hashOf(id, ...permitWords));
    expect(componentProof(3, component!.runtimeCodeHash, 1, 2)).toBe(hashOf(3, component!.runtimeCodeHash, 1, 2));
  });

  const launchSignature =
    'launch(((uint32,bytes32,bytes,bytes32)[],(uint16,uint32,address,bytes32)[],(uint32,address,bytes32)[],(address,address,uint24,int24,address),uint160,uint128,uint256,uint256,uint256),(address,bytes32,bytes32,bytes32,bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint64,uint64),bytes)';

  function splitCalldata(): { selector: string; words: string[] } {
    const data = encodeLaunchCalldata({ call: sampleCall, permit: samplePermit, signature: `0x${'11'.repeat(65)}` });
    return { selector: data.slice(0, 10), words: data.slice(10).match(/.{64}/g)! };
  }
});

describe('The calldata of a launch', () => {
  const signature: Hex = `0x${'ab'.repeat(65)}`;
  const invocation = { call: sampleCall, permit: samplePermit, signature };
  const data = encodeLaunchCalldata(invocation);

  it('is decoded completely', () => {
    expect(decodeLaunchCalldata(data)).toEqual(invocation);
    expect(decodeLaunchCalldata(data.toUpperCase().replace('0X', '0x'))).toEqual(invocation);
    expect(calldataByteLength(data)).toBe((data.length - 2) / 2);
  });

  it.each([
    ['a trailing byte', `${data}00`, 'LAUNCH_CALLDATA_NOT_CANONICAL'],
    ['a trailing word', `${data}${'00'.repeat(32)}`, 'LAUNCH_CALLDATA_NOT_CANONICAL'],
    ['dirty padding', `${data.slice(0, -2)}01`, 'LAUNCH_CALLDATA_NOT_CANONICAL'],
    ['cut short', data.slice(0, -64), 'LAUNCH_CALLDATA_INVALID'],
    ['another function', `0x8da5cb5b`, 'LAUNCH_CALLDATA_INVALID'],
    ['no function', '0x', 'LAUNCH_CALLDATA_INVALID'],
    ['odd digits', `${data}0`, 'LAUNCH_CALLDATA_INVALID'],
    ['too much', `0x${'00'.repeat(MAX_LAUNCH_CALLDATA_BYTES + 1)}`, 'LAUNCH_CALLDATA_TOO_LARGE'],
  ])('refuses %s', (_name, given, expected) => {
    expect(() => decodeLaunchCalldata(given)).toThrow(code(expected));
  });

  it('never decodes from another byte string as the same launch', () => {
    for (let at = 10; at < data.length; at += 1) {
      const flipped = `${data.slice(0, at)}${data[at] === '0' ? '1' : '0'}${data.slice(at + 1)}`;
      try {
        expect(decodeLaunchCalldata(flipped)).not.toEqual(invocation);
      } catch (error) {
        if (!(error instanceof EvmError)) throw error;
      }
    }
  });

  it.each([
    ['a role mask', { components: [{ ...sampleCall.components[0]!, roleMask: 2 ** 32 }] }, 'LAUNCH_VALUE_OUT_OF_RANGE'],
    ['a price', { sqrtPriceX96: 2n ** 160n }, 'LAUNCH_VALUE_OUT_OF_RANGE'],
    ['a liquidity', { liquidity: -1n }, 'LAUNCH_VALUE_OUT_OF_RANGE'],
    ['a tick spacing', { poolKey: { ...sampleCall.poolKey, tickSpacing: 2 ** 23 } }, 'LAUNCH_VALUE_OUT_OF_RANGE'],
    [
      'half a byte of code',
      { components: [{ ...sampleCall.components[0]!, initCode: '0x123' as Hex }] },
      'HEX_INVALID',
    ],
    [
      'a short salt',
      { components: [{ ...sampleCall.components[0]!, salt: '0x12' as Hex }] },
      'LAUNCH_VALUE_OUT_OF_RANGE',
    ],
  ] as [string, Partial<LaunchCall>, string][])('refuses %s that the ABI cannot hold', (_name, change, expected) => {
    const call = { ...sampleCall, ...change };
    expect(() => encodeLaunchCalldata({ call, permit: samplePermit, signature })).toThrow(code(expected));
    expect(() => callHash(call)).toThrow(code(expected));
  });
});
