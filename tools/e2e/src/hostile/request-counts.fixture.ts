import type { StackAccess } from '../stacks/own-stack.js';
import type { Chain } from '../fixtures/chain-faults.fixture.js';

type Asked = Readonly<Record<string, number>>;
type Counts = Readonly<Record<Chain, readonly { readonly id: string; readonly asked: Asked }[]>>;

/** The calls of every service to the providers of a chain, for each block of a period. */
export interface CallsPerBlock {
  readonly blocks: number;
  readonly calls: number;
  readonly perBlock: number;
  readonly byMethod: Asked;
}

/** Counts the calls to both providers of each chain, from its construction on. */
export class RequestCounts {
  private constructor(
    private readonly access: StackAccess,
    private readonly before: Counts,
    private readonly heads: Readonly<Record<Chain, number>>,
  ) {}

  static async begin(access: StackAccess): Promise<RequestCounts> {
    return new RequestCounts(access, await countsOf(access), await headsOf(access));
  }

  async sinceThen(): Promise<Readonly<Record<Chain, CallsPerBlock>>> {
    const [after, heads] = [await countsOf(this.access), await headsOf(this.access)];
    const of = (chain: Chain): CallsPerBlock => {
      const byMethod = differenceOf(sumOf(after[chain]), sumOf(this.before[chain]));
      const calls = Object.values(byMethod).reduce((sum, count) => sum + count, 0);
      const blocks = Math.max(1, heads[chain] - this.heads[chain]);
      return { blocks, calls, perBlock: Math.round((calls / blocks) * 10) / 10, byMethod };
    };
    return { '4663': of('4663'), '1': of('1') };
  }
}

async function countsOf({ stack }: StackAccess): Promise<Counts> {
  return (await (await fetch(`${stack.faults}/requests`)).json()) as Counts;
}

async function headsOf({ stack }: StackAccess): Promise<Record<Chain, number>> {
  const of = async (chain: Chain): Promise<number> => {
    const response = await fetch(stack.rpc[chain][0] as string, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    });
    return Number(((await response.json()) as { result: string }).result);
  };
  return { '4663': await of('4663'), '1': await of('1') };
}

function sumOf(providers: Counts[Chain]): Asked {
  const sum: Record<string, number> = {};
  for (const { asked } of providers)
    for (const [method, count] of Object.entries(asked)) sum[method] = (sum[method] ?? 0) + count;
  return sum;
}

const differenceOf = (after: Asked, before: Asked): Asked =>
  Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
