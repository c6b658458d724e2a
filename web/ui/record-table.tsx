import type { ReactNode } from "react";
import type { PagedList } from "../api/pages.ts";
import { RecordList } from "./record-list.tsx";
import { type Column, Table } from "./table.tsx";

interface RecordTableProps<Item> {
  list: PagedList<Item>;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  empty: ReactNode;
}

/** A paged list as a table. */
export function RecordTable<Item>({ list, columns, keyOf, empty }: RecordTableProps<Item>) {
  return (
    <RecordList list={list} empty={empty}>
      {(items) => <Table columns={columns} rows={items} keyOf={keyOf} />}
    </RecordList>
  );
}
