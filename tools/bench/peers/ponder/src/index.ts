import { ponder } from 'ponder:registry';
import { launch } from 'ponder:schema';
import { isAddressEqual } from 'viem';
import { FOUNDATION_ABI as abi } from '../foundation.abi';

const CUSTODY = process.env.CUSTODY as `0x${string}`;

/** Reads of one launch all that our adapter reads of it, and holds the event to it; the hashes it does not recompute. */
ponder.on('Factory:FoundationLaunchedV3', async ({ event, context }) => {
  const { client } = context;
  const said = event.args;
  const factory = { abi, address: event.log.address } as const;
  const hook = { abi, address: said.hook } as const;
  const custody = { abi, address: CUSTODY } as const;
  const token = { abi, address: said.token } as const;
  const [factoryCode, custodyCode, kept, poolManager, boundCustody] = await Promise.all([
    client.getCode({ address: event.log.address }),
    client.getCode({ address: CUSTODY }),
    client.readContract({ ...factory, functionName: 'launchOf', args: [said.token] }),
    client.readContract({ ...factory, functionName: 'poolManager' }),
    client.readContract({ ...factory, functionName: 'custody' }),
  ]);
  const [hookToken, quote, creator, ledger, poolKey, poolId, compositionHash, moduleCount, platform, buy, sell] =
    await Promise.all([
      client.readContract({ ...hook, functionName: 'token' }),
      client.readContract({ ...hook, functionName: 'quote' }),
      client.readContract({ ...hook, functionName: 'creator' }),
      client.readContract({ ...hook, functionName: 'ledger' }),
      client.readContract({ ...hook, functionName: 'poolKey' }),
      client.readContract({ ...hook, functionName: 'poolId' }),
      client.readContract({ ...hook, functionName: 'compositionHash' }),
      client.readContract({ ...hook, functionName: 'moduleCount' }),
      client.readContract({ ...hook, functionName: 'platformFeeBps' }),
      client.readContract({ ...hook, functionName: 'creatorBuyFeeBps' }),
      client.readContract({ ...hook, functionName: 'creatorSellFeeBps' }),
    ]);
  const [owner, position, name, symbol, decimals, description, imageURI, website, _social, metadataHash] =
    await Promise.all([
      client.readContract({ ...custody, functionName: 'ownerOf', args: [said.custodyId] }),
      client.readContract({ ...custody, functionName: 'positionOf', args: [said.custodyId] }),
      client.readContract({ ...token, functionName: 'name' }),
      client.readContract({ ...token, functionName: 'symbol' }),
      client.readContract({ ...token, functionName: 'decimals' }),
      client.readContract({ ...token, functionName: 'description' }),
      client.readContract({ ...token, functionName: 'imageURI' }),
      client.readContract({ ...token, functionName: 'website' }),
      client.readContract({ ...token, functionName: 'socialData' }),
      client.readContract({ ...token, functionName: 'metadataHash' }),
    ]);
  const modules = await Promise.all(
    Array.from({ length: Number(moduleCount) }, (_, index) =>
      client.readContract({ ...hook, functionName: 'moduleAt', args: [BigInt(index)] }),
    ),
  );
  const holds =
    factoryCode !== undefined &&
    custodyCode !== undefined &&
    isAddressEqual(kept.token, said.token) &&
    kept.poolId === said.poolId &&
    isAddressEqual(boundCustody, CUSTODY) &&
    isAddressEqual(hookToken, said.token) &&
    isAddressEqual(quote, said.quote) &&
    isAddressEqual(creator, said.creator) &&
    isAddressEqual(ledger, said.ledger) &&
    isAddressEqual(poolKey.hooks, said.hook) &&
    poolId === said.poolId &&
    compositionHash === said.compositionHash &&
    platform === 30 &&
    buy <= 1_000 &&
    sell <= 1_000 &&
    isAddressEqual(owner, '0x000000000000000000000000000000000000dEaD') &&
    position[0] === said.poolId &&
    metadataHash === said.metadataHash;
  if (!holds) throw new Error(`launch ${said.token} does not hold`);
  await context.db.insert(launch).values({
    id: `${event.transaction.hash}/${event.log.logIndex}`,
    tokenAddress: said.token,
    creator: said.creator,
    poolManager,
    poolId: said.poolId,
    hookAddress: said.hook,
    blockNumber: event.block.number,
    blockHash: event.block.hash,
    transactionHash: event.transaction.hash,
    logIndex: event.log.logIndex,
    launchedAt: event.block.timestamp,
    name,
    symbol,
    decimals,
    modulePackageIds: modules.map(([, packageId]) => packageId),
    moduleFamilyIds: modules.map(([, , familyId]) => familyId),
    description,
    website,
    imageUrl: imageURI,
  });
});
