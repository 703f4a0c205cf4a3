/** An operation in the list. */
export interface OperationLink {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly product: string;
  readonly needsKey: boolean;
}
/** Returns the operations whose id, path, summary or product contains each word of a question. */
export function matchingOperations(operations: readonly OperationLink[], question: string): readonly OperationLink[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, summary, product }) => {
    const text = `${id} ${method} ${path} ${summary} ${product}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

