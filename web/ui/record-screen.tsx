import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { Screen } from "./screen.tsx";
import { Loaded, type Loading } from "./states.tsx";
import { type Operation, useMay } from "../api/permissions.ts";

interface RecordScreenProps<Item> {
  /** The title until the name has loaded. */
  noun: string;
  /** The list that contains it. */
  home: { to: string; label: string };
  record: Loading<Item>;
  editor: (item: Item, close: () => void) => ReactNode;
  /** The editor is not offered to a role that may not call this operation. */
  may: Operation;
  children: (item: Item) => ReactNode;
}

/** The screen of one named record, with a link to its list and a dialog that edits it. */
export function RecordScreen<Item extends { name: string }>({
  noun,
  home,
  record,
  editor,
  may: operation,
  children,
}: RecordScreenProps<Item>) {
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const item = record.data;
  return (
    <Screen
      title={item?.name ?? noun}
      breadcrumbs={
        <>
          <Link href={home.to}>{home.label}</Link> /
        </>
      }
      actions={
        item !== undefined &&
        may(operation) && (
          <button type="button" className="btn" onClick={() => setEditing(true)}>
            <Pencil size={14} /> Edit
          </button>
        )
      }
    >
      <div className="page">
        <Loaded query={record}>{children}</Loaded>
      </div>
      {editing && item !== undefined && editor(item, () => setEditing(false))}
    </Screen>
  );
}
