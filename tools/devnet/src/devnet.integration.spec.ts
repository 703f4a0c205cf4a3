import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
  toEventSelector,
  toHex,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { admin, call, ask, sendLogging, truth, until, untilState } from '../test/devnet.harness.js';
import { manifestFileIn, type manifestOf } from './deployment.manifest.js';
import { bridgeAbi, DevnetError, nodeInterfaceAbi, sequencerInboxAbi, startDevnet, type Devnet } from './index.js';
import { priceFeedAbi } from './rollup/price.feeds.js';

jest.setTimeout(180_000);

const NITRO_BATCH_TOPIC = toEventSelector(
  'SequencerBatchDelivered(uint256,bytes32,bytes32,bytes32,uint256,(uint64,uint64,uint64,uint64),uint8)',
);

describe('A pair of development chains', () => {
  let dir: string;
  let devnet: Devnet;
  let l1: string;
  let l2: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'launch-devnet-'));
    devnet = await startDevnet({ dir, finalitySeconds: 4, keepState: false, idleBlockMs: 0 });
    l1 = devnet.rpc['1'][0]?.url ?? '';
    l2 = devnet.rpc['4663'][1]?.url ?? '';
  });

  afterAll(async () => {
    await devnet.stop();
    await rm(dir, { recursive: true, force: true });
  });

  function findBatch(block: number, tag = 'latest'): ReturnType<typeof ask> {
    const data = encodeFunctionData({
      abi: nodeInterfaceAbi,
      functionName: 'findBatchContainingBlock',
      args: [BigInt(block)],
    });
    return ask(l2, 'eth_call', { to: devnet.contracts.nodeInterface.address, data }, tag);
  }

  it('describes two providers a chain on origins of their own, contracts with their code, and no secret', async () => {
    const urls = [...devnet.rpc['1'], ...devnet.rpc['4663']].map((each) => each.url);
    expect(new Set([...urls, devnet.faultsUrl, ...Object.values(devnet.rawRpc)]).size).toBe(7);
    expect(new Set([...devnet.rpc['1'], ...devnet.rpc['4663']].map((each) => each.id)).size).toBe(4);
    expect(Number(await call(l1, 'eth_chainId'))).toBe(1);
    expect(Number(await call(l2, 'eth_chainId'))).toBe(4663);
    for (const [name, contract] of Object.entries(devnet.contracts)) {
      const url = name === 'bridge' || name === 'sequencerInbox' || name.endsWith('L1') ? l1 : l2;
      expect([name, keccak256(await call(url, 'eth_getCode', contract.address, 'latest'))]).toEqual([
        name,
        contract.runtimeCodeHash,
      ]);
    }
    const description = JSON.stringify(devnet.description);
    for (const key of [devnet.controller, devnet.owner, devnet.permitAuthority]) {
      const secret = await readFile(key.privateKeyFile, 'utf8');
      expect(secret).toMatch(/^0x[0-9a-f]{64}$/);
      expect((await stat(key.privateKeyFile)).mode & 0o777).toBe(0o600);
      expect(description).not.toContain(secret.slice(2));
    }
  });

  it('uses its folder alone', async () => {
    const second = await startDevnet({ dir, keepState: false, idleBlockMs: 0 }).then(
      async (other) => other.stop(),
      (error: unknown) => error,
    );
    expect(second).toBeInstanceOf(DevnetError);
    expect(second).toMatchObject({ code: 'DIR_IN_USE' });
    expect(Number(await call(l2, 'eth_chainId'))).toBe(4663);
  });

  it('funds the controller and registers the permit authority for now', async () => {
    expect(BigInt(await call(l2, 'eth_getBalance', devnet.controller.address, 'latest'))).toBe(100n * 10n ** 18n);
    const abi = parseAbi(['function authority(address) view returns (uint64 from, uint64 until)']);
    const data = encodeFunctionData({
      abi,
      functionName: 'authority',
      args: [devnet.permitAuthority.address as `0x${string}`],
    });
    const now = BigInt(Math.floor(Date.now() / 1000));
    for (const router of ['router', 'routerV1', 'retiredRouterL1', 'routerL1'] as const) {
      const url = router.endsWith('L1') ? l1 : l2;
      const result = await call(url, 'eth_call', { to: devnet.contracts[router].address, data }, 'latest');
      const [from, until_] = decodeFunctionResult({ abi, functionName: 'authority', data: result });
      expect([router, from <= now && now < until_]).toEqual([router, true]);
    }
  });

  it('deploys later additions after the existing contracts, so that no earlier address moves', () => {
    const from = devnet.owner.address;
    expect([devnet.contracts.poolManager.address, devnet.contracts.router.address]).toEqual(
      [0n, 1n].map((nonce) => getContractAddress({ from, nonce }).toLowerCase()),
    );
  });

  it('writes a manifest of every contract: its chain, its code, and the first block that can hold it', async () => {
    const { chains, contracts } = JSON.parse(await readFile(manifestFileIn(dir), 'utf8')) as ReturnType<
      typeof manifestOf
    >;
    expect(contracts.map(({ name }) => name).sort()).toEqual(Object.keys(devnet.contracts).sort());
    expect(chains.map(({ genesisHash }) => genesisHash)).toEqual([devnet.genesis['1'], devnet.genesis['4663']]);
    for (const { name, chainId, address, runtimeCodeHash, startBlock } of contracts) {
      const codeAt = (block: string) =>
        call(chainId === 1 ? devnet.rawRpc['1'] : devnet.rawRpc['4663'], 'eth_getCode', address, block);
      expect([name, keccak256(await codeAt('latest'))]).toEqual([name, runtimeCodeHash]);
      if (name === 'nodeInterface') expect(Number(startBlock)).toBe(devnet.genesisL2Block);
      else expect([name, await codeAt(toHex(Number(startBlock) - 1))]).toEqual([name, '0x']);
    }
  });

  it('has two generations of one router on Ethereum, distinguished by their runtime code', async () => {
    const { poolManager, poolManagerL1, retiredRouterL1, routerL1 } = devnet.contracts;
    expect(retiredRouterL1.runtimeCodeHash).not.toBe(routerL1.runtimeCodeHash);
    expect(poolManagerL1.address).not.toBe(poolManager.address);
    const abi = parseAbi(['function CHAIN_ID() view returns (uint256)']);
    const data = encodeFunctionData({ abi, functionName: 'CHAIN_ID' });
    for (const { address } of [retiredRouterL1, routerL1, devnet.contracts.graphRouterL1])
      expect(BigInt(await call(l1, 'eth_call', { to: address, data }, 'latest'))).toBe(1n);
  });

  it('has both graph factories on Ethereum, of the router that stamps graphs', async () => {
    const { contracts } = devnet;
    const abi = parseAbi([
      'function router() view returns (address)',
      'function runtime() view returns (address)',
      'function launchAccount() view returns (address)',
    ]);
    const readBack = async (to: Hex, functionName: 'router' | 'runtime' | 'launchAccount') => {
      const data = encodeFunctionData({ abi, functionName });
      const answer = (await call(l1, 'eth_call', { to, data }, 'latest')) as Hex;
      return decodeFunctionResult({ abi, functionName, data: answer }).toLowerCase();
    };
    for (const version of ['V1', 'V2'] as const) {
      const { address } = contracts[`graphFactory${version}L1`];
      expect([
        await readBack(address, 'router'),
        await readBack(address, 'runtime'),
        await readBack(address, 'launchAccount'),
      ]).toEqual([
        contracts.graphRouterL1.address,
        contracts[`moduleImplementation${version}L1`].address,
        contracts[`launchAccount${version}L1`].address,
      ]);
    }
  });

  it('lets a wallet batch by an EIP-7702 transaction that sets the code of the batching account', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    await admin(devnet, 'POST', '/chains/4663/fund', { address: wallet.address, wei: String(10n ** 18n) });
    const raw = await wallet.signTransaction({
      type: 'eip7702',
      chainId: 4663,
      nonce: 0,
      to: wallet.address,
      gas: 200_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 0n,
      authorizationList: [
        await wallet.signAuthorization({
          contractAddress: devnet.contracts.batchAccount.address,
          chainId: 4663,
          nonce: 1,
        }),
      ],
    });
    await untilState(devnet, await call(l2, 'eth_sendRawTransaction', raw), 'included', 'posted', 'finalized');
    expect(await call(l2, 'eth_getCode', wallet.address, 'latest')).toBe(
      `0xef0100${devnet.contracts.batchAccount.address.slice(2)}`,
    );
  });

  describe.each(['1', '4663'] as const)('the price feed of chain %s', (chain) => {
    const feedOf = () => devnet.contracts[chain === '1' ? 'priceFeedL1' : 'priceFeedL2'].address;
    /** Reads the latest round, and the seconds between its update and the block of the read. */
    const read = async () => {
      const url = devnet.rpc[chain][0]?.url ?? '';
      const { number, timestamp } = await call(url, 'eth_getBlockByNumber', 'latest', false);
      const data = encodeFunctionData({ abi: priceFeedAbi, functionName: 'latestRoundData' });
      const result = await call(url, 'eth_call', { to: feedOf(), data }, number);
      const [roundId, answer, , updatedAt, answeredInRound] = decodeFunctionResult({
        abi: priceFeedAbi,
        functionName: 'latestRoundData',
        data: result,
      });
      return { roundId, answer, age: Number(timestamp) - Number(updatedAt), updatedAt, answeredInRound };
    };
    const write = (body: unknown) => admin(devnet, 'POST', `/chains/${chain}/price`, body);

    it('has a price that stays fresh without new writes', async () => {
      const first = await read();
      expect(first).toMatchObject({ roundId: 1n, age: 0, answeredInRound: 1n });
      const later = await until('a later block', async () => {
        const now = await read();
        return now.updatedAt > first.updatedAt ? now : null;
      });
      expect(later).toEqual({ ...first, updatedAt: later.updatedAt });
    });

    it('answers zero, other prices, prices of other times, or none, until it receives a price again', async () => {
      for (const [body, expected] of [
        [{ answer: '0' }, { answer: 0n, age: 0 }],
        [{ answer: '-7' }, { answer: -7n, age: 0 }],
        [{ answer: '300000000000', ageSeconds: -86_400 }, { answer: 300_000_000_000n }],
        [{ answer: '260000000000', ageSeconds: 7_200 }, { answer: 260_000_000_000n }],
        [{ openRound: true }, { answer: 260_000_000_000n, updatedAt: 0n, answeredInRound: 5n }],
        [{ answer: '250000000000' }, { answer: 250_000_000_000n, age: 0 }],
      ] as const) {
        expect([body, (await write(body)).status]).toEqual([body, 200]);
        const round = await read();
        expect(round).toMatchObject(expected);
        if (!('ageSeconds' in body)) continue;
        expect(Math.sign(round.age)).toBe(Math.sign(body.ageSeconds));
        expect(Math.abs(round.age - body.ageSeconds)).toBeLessThan(3_600);
      }
    });

    it.each([{}, { answer: 1 }, { answer: '1.5' }, { openRound: false }, { answer: '1', round: 2 }])(
      'refuses %j',
      async (body) => expect((await write(body)).status).toBe(400),
    );
  });

  it('takes a transaction from inclusion over its batch to the finalized checkpoint, in that order', async () => {
    const hash = await sendLogging(devnet, l2);
    const included = await untilState(devnet, hash, 'included', 'posted');
    const block = included.inclusion?.blockNumber ?? 0;
    // A batch may be posted between the two reads; an earlier answer would be wrong.
    const early = await findBatch(block);
    if (included.state === 'included' && early.error === undefined)
      await untilState(devnet, hash, 'posted', 'finalized');
    else if (included.state === 'included') expect(early.error?.message).toMatch(/revert/i);
    const finalizedAtInclusion = Number((await call(l2, 'eth_getBlockByNumber', 'finalized', false)).number);
    expect(finalizedAtInclusion).toBeLessThan(block);

    const posted = await untilState(devnet, hash, 'posted', 'finalized');
    const batch = posted.batch;
    if (batch === null) throw new Error('posted without a batch');
    const found = await until(
      'the node interface to know the batch',
      async () => (await findBatch(block)).result ?? null,
    );
    expect(Number(found)).toBe(batch.batchNumber);

    await untilState(devnet, hash, 'finalized');
    const l1Finalized = await call(l1, 'eth_getBlockByNumber', 'finalized', false);
    expect(Number(l1Finalized.number)).toBeGreaterThanOrEqual(batch.l1BlockNumber);
    expect(Number((await call(l2, 'eth_getBlockByNumber', 'finalized', false)).number)).toBeGreaterThanOrEqual(block);
    const accAtFinalized = await call(
      l1,
      'eth_call',
      {
        to: devnet.contracts.bridge.address,
        data: encodeFunctionData({
          abi: bridgeAbi,
          functionName: 'sequencerInboxAccs',
          args: [BigInt(batch.batchNumber)],
        }),
      },
      'finalized',
    );
    expect(accAtFinalized).toBe(batch.afterAcc);
  });

  it('posts batches that continue where the last one ended, with the event and the call of the real inbox', async () => {
    const batches = await until('three batches', async () => {
      const { body } = await admin(devnet, 'GET', '/batches');
      return body.batches.length >= 3 ? body.batches : null;
    });
    expect(batches[0]).toMatchObject({ batchNumber: 0, firstL2Block: 50_469_364, lastL2Block: 50_469_364 });
    let before = `0x${'0'.repeat(64)}`;
    for (const [index, batch] of batches.entries()) {
      if (index > 0) expect(batch.firstL2Block).toBe(batches[index - 1].lastL2Block + 1);
      const receipt = await call(l1, 'eth_getTransactionReceipt', batch.transactionHash);
      expect(receipt.logs).toHaveLength(1);
      expect(receipt.logs[0].topics[0]).toBe(NITRO_BATCH_TOPIC);
      const event = decodeEventLog({ abi: sequencerInboxAbi, ...receipt.logs[0] } as Parameters<
        typeof decodeEventLog
      >[0]);
      expect(event.args).toMatchObject({ batchSequenceNumber: BigInt(index), beforeAcc: before, dataLocation: 3 });
      const { input } = await call(l1, 'eth_getTransactionByHash', batch.transactionHash);
      const { functionName, args } = decodeFunctionData({ abi: sequencerInboxAbi, data: input });
      expect(functionName).toBe('addSequencerL2BatchFromBlobs');
      expect(args?.slice(3)).toEqual(
        [batch.firstL2Block, batch.lastL2Block + 1].map((block) => BigInt(block - devnet.genesisL2Block)),
      );
      before = batch.afterAcc;
    }
  });

  it('answers every block tag as one node would: finalized at most safe, safe at most latest', async () => {
    await until('something final', async () => {
      const number = Number((await call(l2, 'eth_getBlockByNumber', 'finalized', false)).number);
      return number > devnet.genesisL2Block ? number : null;
    });
    for (const url of [l1, l2]) {
      const finalized = await call(url, 'eth_getBlockByNumber', 'finalized', false);
      const safe = await call(url, 'eth_getBlockByNumber', 'safe', false);
      const latest = await call(url, 'eth_getBlockByNumber', 'latest', false);
      expect(Number(finalized.number)).toBeLessThanOrEqual(Number(safe.number));
      expect(Number(safe.number)).toBeLessThanOrEqual(Number(latest.number));
      const logs = await call(url, 'eth_getLogs', { fromBlock: 'earliest', toBlock: 'finalized' });
      for (const log of logs) expect(Number(log.blockNumber)).toBeLessThanOrEqual(Number(latest.number));
    }
  });

  it('gives blocks the time of the clock, never ahead of it and in whole seconds that never decrease', async () => {
    for (const url of [l1, l2]) {
      const head = Number(await call(url, 'eth_blockNumber'));
      const times = await Promise.all(
        Array.from({ length: Math.min(head, 12) }, async (_, back) =>
          Number((await call(url, 'eth_getBlockByNumber', toHex(head - back), false)).timestamp),
        ),
      );
      expect(times[0]).toBeLessThanOrEqual(Date.now() / 1000);
      expect(times).toEqual([...times].sort((one, other) => other - one));
    }
  });

  it('counts L1 confirmations of a posted block and knows no foreign hash', async () => {
    const ask_ = (hash: string) => {
      const data = encodeFunctionData({
        abi: nodeInterfaceAbi,
        functionName: 'getL1Confirmations',
        args: [hash as `0x${string}`],
      });
      return ask(l2, 'eth_call', { to: devnet.contracts.nodeInterface.address, data }, 'latest');
    };
    const safe = await call(l2, 'eth_getBlockByNumber', 'safe', false);
    expect(Number((await ask_(safe.hash)).result)).toBeGreaterThan(0);
    expect((await ask_(keccak256(toHex('no block')))).error?.message).toMatch(/unknown block hash/);
  });

  it('offers the interface of a provider, without control of the node, unlocked keys or oversized transactions', async () => {
    for (const method of ['anvil_setBalance', 'evm_mine', 'hardhat_reset', 'eth_sendTransaction', 'eth_accounts']) {
      expect((await ask(l2, method)).error?.code).toBe(-32601);
    }
    const oversized = encodeAbiParameters([{ type: 'bytes' }], [toHex(new Uint8Array(95_001))]);
    expect((await ask(l2, 'eth_sendRawTransaction', oversized)).error?.message).toBe('oversized data');
    const owner = {
      to: devnet.contracts.router.address,
      data: encodeFunctionData({ abi: parseAbi(['function owner() view returns (address)']), functionName: 'owner' }),
    };
    expect(
      (await call(l2, 'eth_simulateV1', { blockStateCalls: [{ calls: [owner] }] }, 'latest'))[0].calls[0].status,
    ).toBe('0x1');
  });

  it('holds the sequencer, so that a transaction waits until blocks resume', async () => {
    expect((await admin(devnet, 'POST', '/chains/4663/hold-blocks')).body).toEqual({ held: true });
    const hash = await sendLogging(devnet, l2);
    expect((await truth(devnet, hash)).state).toBe('pending');
    const heads = [await call(l1, 'eth_blockNumber'), await call(l2, 'eth_blockNumber')];
    await until('two more L1 blocks', async () =>
      Number(await call(l1, 'eth_blockNumber')) > Number(heads[0]) + 1 ? true : null,
    );
    expect(await call(l2, 'eth_blockNumber')).toBe(heads[1]);
    expect((await truth(devnet, hash)).state).toBe('pending');
    expect((await admin(devnet, 'POST', '/chains/4663/resume-blocks')).body).toEqual({ held: false });
    await untilState(devnet, hash, 'included', 'posted', 'finalized');
  });

  it('funds any address and refuses unknown requests', async () => {
    const address = '0x00000000000000000000000000000000000000aa';
    const first = await admin(devnet, 'POST', '/chains/4663/fund', { address, wei: '5' });
    const second = await admin(devnet, 'POST', '/chains/4663/fund', { address, wei: '7' });
    expect([first.body.balanceWei, second.body.balanceWei]).toEqual(['5', '12']);
    for (const [method, path, body, status] of [
      ['POST', '/chains/4663/fund', { address, wei: '5', extra: 1 }, 400],
      ['POST', '/chains/4663/fund', { address, wei: '-1' }, 400],
      ['POST', '/chains/2/fund', { address, wei: '1' }, 404],
      ['POST', '/chains/4663/hold-posting', {}, 404],
      ['PUT', '/faults/4663/nobody', {}, 404],
      ['PUT', '/faults/4663/l2-a', { lagg: 1 }, 400],
      ['GET', '/truth/0x12', undefined, 400],
      ['GET', '/nothing', undefined, 404],
    ] as const) {
      expect([path, (await admin(devnet, method, path, body)).status]).toEqual([path, status]);
    }
    const fromBrowser = await fetch(`${devnet.faultsUrl}/faults`, { headers: { origin: 'http://example.org' } });
    expect(fromBrowser.status).toBe(403);
  });
});
