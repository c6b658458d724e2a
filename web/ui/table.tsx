import type { ReactNode } from "react";

export interface Column<Row> {
  title: string;
  /** The title is for screen readers only. */
  hideTitle?: boolean;
  /** Hidden on a narrow screen. */
  wideOnly?: boolean;
  muted?: boolean;
  /** Buttons, aligned right. */
  actions?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function Table<Row>({ columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="card scroll-x">
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, hideTitle, wideOnly }) => (
              <th key={title} className={wideOnly === true ? "wide-only" : undefined}>
                {hideTitle === true ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ wideOnly, muted, actions }: Column<Row>): string | undefined {
  const names = [wideOnly && "wide-only", muted && "muted", actions && "cell-actions"].filter(Boolean);
  return names.length === 0 ? undefined : names.join(" ");
}
