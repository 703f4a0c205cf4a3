// Passes requests on to the Temporal UI with the operator's token, which the UI passes on to the server (docker-compose.yml).
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';

const { PORT, UI_HOST, UI_PORT, TOKEN_FILE } = process.env;
const authorization = `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Pages elsewhere must not act with this token, neither by a name of their own for this machine nor across origins. */
const isOwn = ({ host = '', origin }) =>
  LOOPBACK.test(host) && (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host));

const server = createServer((incoming, answer) => {
  if (incoming.url === '/healthz') return answer.writeHead(200).end();
  if (!isOwn(incoming.headers)) return answer.writeHead(403).end();
  const { method, url: path, headers } = incoming;
  const passed = request({ host: UI_HOST, port: UI_PORT, method, path, headers: { ...headers, authorization } }, (reply) => {
    answer.writeHead(reply.statusCode, reply.headers);
    reply.pipe(answer);
  });
  passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.on('close', () => passed.destroy());
  incoming.pipe(passed);
});
server.requestTimeout = 60_000;
server.listen(Number(PORT), '0.0.0.0');
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
