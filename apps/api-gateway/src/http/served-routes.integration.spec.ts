import { Controller, Get, Module, Post } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { AppModule } from '../app.module.js';
import { startHarness } from '../fixtures/gateway.harness.js';
import { Gate } from '@launch/http';
import { Access } from './access.decorator.js';

@Controller('forgotten')
class ForgottenController {
  @Get()
  read(): string {
    return 'whatever it is';
  }

  @Post('kept')
  @Access({ scopes: null, quota: 'public' })
  kept(): string {
    return 'public, and says so';
  }
}
@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

afterEach(() => void jest.restoreAllMocks());

describe('a route that says nothing about who may ask', () => {
  it('keeps the process from starting, and is named', async () => {
    const { of } = AppModule;
    jest
      .spyOn(AppModule, 'of')
      .mockImplementation((parts) => ({ ...of(parts), imports: [...(of(parts).imports ?? []), ForgottenModule] }));
    await expect(startHarness()).rejects.toThrow(/^routes without @Access: GET \/forgotten; HEAD \/forgotten$/);
  }, 60_000);

  it('is refused by the gate to everybody, should it ever be reached', async () => {
    const gate = new Gate({} as never, {} as never, {});
    const request = {
      raw: { url: '/forgotten', rawHeaders: ['host', 'x'], headers: { host: 'x' }, httpVersion: '1.1', complete: true },
      params: {},
      is404: false,
      routeOptions: { url: '/forgotten', config: {} },
    };
    await expect(gate.check(request as unknown as FastifyRequest)).rejects.toThrow(
      'the route /forgotten says nothing about who may ask',
    );
  });
});
