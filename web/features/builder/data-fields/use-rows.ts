import { useState } from "react";

interface RowFormat<Row> {
  /** Undefined for a value that rows do not show. */
  read: (value: unknown) => Row[] | undefined;
  write: (rows: readonly Row[]) => unknown;
}

interface Rows<Row> {
  rows: readonly Row[];
  change: (rows: readonly Row[]) => void;
  changeRow: (index: number, change: Partial<Row>) => void;
  add: (row: Row) => void;
  remove: (index: number) => void;
}

/** A value that is edited as rows. A row that is not stored yet stays until the value changes elsewhere. */
export function useRows<Row>(
  { read, write }: RowFormat<Row>,
  value: unknown,
  onChange: (value: unknown) => void,
): Rows<Row> | undefined {
  const [edited, setEdited] = useState<readonly Row[]>();
  const isCurrent = edited !== undefined && JSON.stringify(write(edited)) === JSON.stringify(value);
  const rows = isCurrent ? edited : read(value);
  if (rows === undefined) return undefined;
  function change(next: readonly Row[]): void {
    setEdited(next);
    onChange(write(next));
  }
  return {
    rows,
    change,
    changeRow: (index, part) => change(rows.map((row, at) => (at === index ? { ...row, ...part } : row))),
    add: (row) => change([...rows, row]),
    remove: (index) => change(rows.filter((_, at) => at !== index)),
  };
}
