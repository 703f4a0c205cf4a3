import type { Faults, PriceRound, ReorgOutcome, ReorgRequest } from '@launch/devnet';
import { z } from 'zod';
import { NoFaultControl } from './running-stack.js';

export const CHAINS = ['4663', '1'] as const;
export type Chain = (typeof CHAINS)[number];

const until = z.string().nullable();
const chainSchema = z.object({
  providers: z.array(z.object({ id: z.string(), faults: z.custom<Faults>(), until })).length(2),
  price: z.object({ answer: z.string(), usual: z.string(), ageSeconds: z.number(), until }),
  dropped: z.object({ transactions: z.number(), until }),
});
const controlsSchema = z.object({ chains: z.object({ '4663': chainSchema, '1': chainSchema }) });
const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string(), data: z.unknown() }) });

/** The report of a fault control. */
export type Controls = z.output<typeof controlsSchema>;
export type Provider = Controls['chains'][Chain]['providers'][number];

/** Changes and reads the faults of the development chains of a running stack. */
export class FaultControl {
  constructor(private readonly url: string) {}

  async read(): Promise<Controls> {
    return controlsSchema.parse(await this.#call('GET', 'controls'));
  }

  /** Replaces the faults of a provider. @param seconds null until they are cleared. */
  async setFaults(chain: Chain, providerId: string, faults: Partial<Faults>, seconds: number | null): Promise<void> {
    await this.#call('PUT', `faults/${chain}/${providerId}`, seconds, faults);
  }

  async reorg(chain: Chain, request: ReorgRequest, seconds: number | null): Promise<ReorgOutcome> {
    return (await this.#call('POST', `chains/${chain}/reorg`, seconds, request)) as ReorgOutcome;
  }

  /** Sends the dropped transactions of a chain again. */
  async restore(chain: Chain): Promise<void> {
    await this.#call('POST', `chains/${chain}/restore`);
  }

  async setPrice(chain: Chain, round: PriceRound, seconds: number | null): Promise<void> {
    await this.#call('POST', `chains/${chain}/price`, seconds, round);
  }

  /** @throws NoFaultControl if nothing answers, or the control refuses. */
  async #call(method: string, route: string, seconds: number | null = null, body?: unknown): Promise<unknown> {
    const query = seconds === null ? '' : `?seconds=${seconds}`;
    const response = await fetch(`${this.url}/${route}${query}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new NoFaultControl(`The fault control at ${this.url} does not answer. Is the stack still running?`, {
        cause,
      });
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { code, message, data } = failureSchema.parse(answer).error;
    throw new NoFaultControl(
      `The fault control refused (${code}): ${message}${data === null ? '' : ` ${JSON.stringify(data)}`}`,
    );
  }
}
