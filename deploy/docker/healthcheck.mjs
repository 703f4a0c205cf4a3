// A container's health: `/healthz` of the process in it, on the port that its settings name. Exits 0 or 1.
const port = process.env.METRICS_PORT ?? process.env.PORT;
try {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
