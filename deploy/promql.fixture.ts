import { parser } from '@prometheus-io/lezer-promql';

/** A series that an expression selects, with the labels that filter it. */
export interface Selected {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly value: string }[];
}

/** The series and labels of an expression. */
export interface Query {
  readonly names: readonly Selected[];
  /** Labels that the expression groups or joins by. */
  readonly grouping: readonly string[];
  /** Places that are no PromQL. */
  readonly errors: readonly string[];
}

/** Parses an expression with the grammar of Prometheus. */
export function parsePromql(expr: string): Query {
  const names: { name: string; matchers: { label: string; value: string }[] }[] = [];
  const grouping: string[] = [];
  const errors: string[] = [];
  let isGrouping = false;
  parser.parse(expr).iterate({
    enter({ name, type, from, to, node }) {
      const text = expr.slice(from, to);
      if (type.isError) errors.push(`${from}: ${expr.slice(Math.max(0, from - 10), to + 10)}`);
      if (name === 'VectorSelector') names.push({ name: expr.slice(node.firstChild!.from, node.firstChild!.to), matchers: [] });
      if (name === 'UnquotedLabelMatcher') {
        const value = node.getChild('StringLiteral');
        const label = node.getChild('LabelName');
        if (label !== null && value !== null)
          names.at(-1)?.matchers.push({ label: expr.slice(label.from, label.to), value: expr.slice(value.from + 1, value.to - 1) });
      }
      if (name === 'GroupingLabels') isGrouping = true;
      if (name === 'LabelName' && isGrouping) grouping.push(text);
    },
    leave({ name }) {
      if (name === 'GroupingLabels') isGrouping = false;
    },
  });
  return { names, grouping, errors };
}
