import type { ReactNode } from 'react';

/** A wide table, which scrolls sideways by itself and by keyboard. */
export function ScrollTable({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: readonly string[];
  /** The rows, as `<tr>` elements. */
  children: ReactNode;
}) {
  return (
    <div
      role="region"
      aria-label={`${caption}, as a table`}
      tabIndex={0}
      className="overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-sm [&_td]:wrap-normal [&_td_code]:whitespace-nowrap [&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2.5 [&_td]:align-top [&_tbody_th]:border-t [&_tbody_th]:border-line [&_tbody_th]:px-3 [&_tbody_th]:py-2.5 [&_tbody_th]:text-left [&_tbody_th]:align-top [&_tbody_th]:font-normal">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="px-3 py-2 text-left text-xs font-semibold whitespace-nowrap text-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
