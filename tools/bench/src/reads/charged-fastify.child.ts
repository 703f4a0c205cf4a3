// Fastify that charges the address of each request as the gateway does, by its own service over rows that all gateways
// count in, and then sends what it was given.
import { fastify } from 'fastify';
import { addressCharges, type AddressCharge } from './address-charge.js';
import type { BareAnswer } from './bare-fastify.child.js';

export interface ChargedAnswer extends BareAnswer, AddressCharge {}

process.on('message', (message) => {
  const { path, contentType, bodyBase64, ...charge } = message as ChargedAnswer;
  const limits = addressCharges(charge);
  const app = fastify();
  const body = Buffer.from(bodyBase64, 'base64');
  app.decorateRequest('exchange');
  app.get(path, async (request, reply) => {
    request.exchange = { quota: null } as never;
    await limits.chargeAddress(request);
    return reply.headers(limits.headersOf(request)).header('content-type', contentType).send(body);
  });
  app.listen({ port: 0, host: '127.0.0.1' }).then(
    (url) => process.send?.({ port: Number(new URL(url).port) }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
