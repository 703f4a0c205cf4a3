/**
 * Lets one piece of work per key run in this process; who comes meanwhile waits for it and then looks again.
 * Only thrift: 64 identical requests cost one parse. The database decides what is true.
 */
export class SingleFlight {
  private readonly flights = new Map<string, Promise<unknown>>();

  /**
   * Runs `lead` when nobody else does; else waits for the other and runs `follow` with what the other threw
   * (undefined when it succeeded).
   */
  async run<T>(key: string, lead: () => Promise<T>, follow: (failure: unknown) => Promise<T>): Promise<T> {
    const running = this.flights.get(key);
    if (running !== undefined) return follow(await running);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.flights.set(key, promise);
    let failure: unknown;
    try {
      return await lead();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.flights.delete(key);
      resolve(failure);
    }
  }
}
