import { useState } from "react";
import { addToCollection, type CollectionView, useCollectionMutation } from "../../api/collections.ts";
import { type DocumentView, useDocumentPages, useDocuments } from "../../api/documents.ts";
import { useMay } from "../../api/permissions.ts";
import { Ago } from "../../ui/ago.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Failure } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { bytes } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { Collections } from "./collections.tsx";
import { DocumentActions, DocumentTitle } from "./document-cells.tsx";
import { DocumentTags } from "./document-tags.tsx";

interface DocumentTableProps {
  collections: readonly CollectionView[];
  /** The open one; undefined for all documents. */
  collection: CollectionView | undefined;
  onOpenCollection: (id: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onOpen: (document: DocumentView) => void;
  onDeleted: (id: string) => void;
}

export function DocumentTable(props: DocumentTableProps) {
  const { collections, collection, onOpenCollection, selected, onSelect, onOpen, onDeleted } = props;
  const [tag, setTag] = useFilter("tag");
  const documents = useDocumentPages(tag, collection?.collection_id ?? "");
  const may = useMay();
  const isReader = collection?.access === "reader";
  const move = useCollectionMutation((change: () => Promise<void>) => change());
  const [tagging, setTagging] = useState<DocumentView>();
  const tags = [...new Set((useDocuments().data ?? []).flatMap((document) => document.tags))];
  const columns: Column<DocumentView>[] = [
    {
      title: "Select",
      hideTitle: true,
      cell: ({ document_id: id, title }) => (
        <input
          type="checkbox"
          aria-label={`Search only ${title}`}
          checked={selected.has(id)}
          onChange={() => onSelect(toggled(selected, id))}
        />
      ),
    },
    {
      title: "Title",
      cell: (document) => <DocumentTitle document={document} onOpen={onOpen} onTag={setTag} />,
    },
    ...detailColumns,
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (document) =>
        !isReader && (
          <DocumentActions
            document={document}
            collection={collection}
            onEditTags={() => setTagging(document)}
            onMove={move.mutate}
            onDeleted={onDeleted}
          />
        ),
    },
  ];
  return (
    <section className="stack tight" aria-label="Library">
      <div className="row wrap">
        <h2 className="grow">Library</h2>
        {selected.size > 0 && !isReader && may("addDocumentToCollection") && (
          <AddToCollection
            collections={collections}
            onAdd={(id) =>
              move.mutate(async () => {
                for (const documentId of selected) await addToCollection(id, documentId);
              })
            }
          />
        )}
        <TagFilter tags={tags} tag={tag} onChange={setTag} />
      </div>
      <Collections
        collections={collections}
        open={collection?.collection_id ?? ""}
        onOpen={onOpenCollection}
      />
      {move.error !== null && <Failure error={move.error} />}
      <RecordTable
        list={documents}
        columns={columns}
        keyOf={({ document_id }) => document_id}
        empty={<p className="muted">{emptyText(tag, collection)}</p>}
      />
      {tagging !== undefined && (
        <DocumentTags document={tagging} known={tags} onClose={() => setTagging(undefined)} />
      )}
    </section>
  );
}

const detailColumns: readonly Column<DocumentView>[] = [
  {
    title: "Pages",
    wideOnly: true,
    muted: true,
    cell: (document) => `${document.pages} · ${bytes(document.bytes)}`,
  },
  {
    title: "Status",
    cell: (document) => <StatusChip status={document.status}>{progressText(document)}</StatusChip>,
  },
  { title: "Added", wideOnly: true, muted: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

function progressText({ status, pages, pages_done, ocr_pages, ocr_pages_done }: DocumentView): string {
  if (status !== "processing") return "";
  if (ocr_pages > 0) return ` · reading scans ${ocr_pages_done}/${ocr_pages}`;
  return pages > 0 ? ` ${pages_done}/${pages}` : "";
}

function TagFilter(props: { tags: readonly string[]; tag: string; onChange: (tag: string) => void }) {
  const { tags, tag, onChange } = props;
  if (tags.length === 0 && tag === "") return null;
  return (
    <select
      className="in tag-filter"
      aria-label="Tag"
      value={tag}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">All tags</option>
      {[...new Set([...tags, ...(tag === "" ? [] : [tag])])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

function emptyText(tag: string, collection: CollectionView | undefined): string {
  if (tag !== "") return "No document has this tag.";
  if (collection === undefined) return "You have no documents of your own yet.";
  return collection.access === "owner"
    ? "This collection is empty. Upload into it, or add documents."
    : "This collection is empty.";
}

function AddToCollection(props: { collections: readonly CollectionView[]; onAdd: (id: string) => void }) {
  const own = props.collections.filter(({ access }) => access === "owner");
  if (own.length === 0) return null;
  return (
    <select
      className="in tag-filter"
      aria-label="Add the selected documents to a collection"
      value=""
      onChange={(event) => props.onAdd(event.target.value)}
    >
      <option value="">Add to collection …</option>
      {own.map(({ collection_id: id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
