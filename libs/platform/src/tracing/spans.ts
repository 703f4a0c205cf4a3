import { context, SpanStatusCode, trace, type Attributes, type Span, type SpanKind } from '@opentelemetry/api';

/** Name of the instrumentation of every span. */
const TRACER = 'custom-launch';

/**
 * Begins a span under the active one. Attributes name things and never carry values: no request bytes, no keys, no
 * paths of URLs, no arguments.
 */
export const beginSpan = (name: string, kind: SpanKind, attributes: Attributes, parent = context.active()): Span =>
  trace.getTracer(TRACER).startSpan(name, { kind, attributes }, parent);

/** Ends a span as failed, by the code or the name of the error: messages may contain anything. */
export function failSpan(span: Span, error: unknown): void {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const type = [code, name].find((one) => typeof one === 'string') ?? typeof error;
  span.setAttribute('error.type', type as string);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs work inside of a span, and ends the span with it. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, kind, attributes);
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work);
    span.end();
    return result;
  } catch (error) {
    failSpan(span, error);
    throw error;
  }
}
