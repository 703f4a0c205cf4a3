import type { ErrorContract } from '../errors/error-contract.js';
import type { PathParameters } from './path-parameters.js';

interface PathEntry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly errors: ErrorContract;
}

/** Every served path with its methods, collected as routes are registered; answers 405 and OPTIONS. */
export class MethodsByPath {
  private readonly entries = new Map<string, PathEntry>();

  /** @param family what the path's parameters and its errors look like. */
  add(
    template: string,
    methods: readonly string[],
    { parameters, errors }: { readonly parameters: PathParameters; readonly errors: ErrorContract },
  ): void {
    let entry = this.entries.get(template);
    if (entry === undefined) {
      const segments = template
        .split('/')
        .map((part) =>
          part.startsWith(':')
            ? (parameters[part.slice(1)]?.form ?? '[^/]+')
            : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
        );
      entry = { pattern: new RegExp(`^${segments.join('/')}$`), methods: new Set(), errors };
      this.entries.set(template, entry);
    }
    for (const method of methods) entry.methods.add(method);
  }

  /** What is served: each method of each path, HEAD among them, as routes are registered. */
  all(): readonly { readonly template: string; readonly methods: readonly string[] }[] {
    return [...this.entries].map(([template, { methods }]) => ({ template, methods: [...methods] }));
  }

  /** The methods of the path a request names, in the order of `Allow`; null when the path is not served. */
  allowedFor(target: string): readonly string[] | null {
    const methods = new Set(this.entriesOf(target).flatMap((entry) => [...entry.methods]));
    if (methods.size === 0) return null;
    return ['GET', 'HEAD', 'POST'].filter((method) => methods.has(method)).concat('OPTIONS');
  }

  /** How errors about the path look, also those of a method that it does not have; null when the path is not served. */
  errorsFor(target: string): ErrorContract | null {
    return this.entriesOf(target)[0]?.errors ?? null;
  }

  private entriesOf(target: string): readonly PathEntry[] {
    const path = decoded(target.split(/[?#]/, 1)[0] ?? '');
    return [...this.entries.values()].filter(({ pattern }) => pattern.test(path));
  }
}

/** As the router reads a path: what is reserved stays encoded. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
