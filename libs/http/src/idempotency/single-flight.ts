/**
 * Runs one piece of work per key in this process; concurrent callers wait for it and then check again. Only an
 * optimisation: 64 identical requests cost one parse. The database decides the outcome.
 */
export class SingleFlight {
  private readonly flights = new Map<string, Promise<unknown>>();

  /**
   * Runs `lead` if no other caller does. Otherwise waits for the other caller and runs `follow` with its error
   * (undefined if it succeeded).
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
