import { FolderMinus, Tag } from "lucide-react";
import { useState } from "react";
import {
  deleteDocument,
  type DocumentView,
  useDocumentMutation,
  useDocumentPages,
  useDocuments,
} from "../../api/documents.ts";
import {
  addToCollection,
  type CollectionView,
  removeFromCollection,
  useCollectionMutation,
} from "../../api/collections.ts";
import { Failure } from "../../ui/states.tsx";
import { Collections } from "./collections.tsx";
import { Ago } from "../../ui/ago.tsx";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { StatusChip } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { bytes } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { useMay } from "../../api/permissions.ts";
import { TransferMenu } from "../transfers/transfer-menu.tsx";
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
  const remove = useDocumentMutation(async (id: string) => {
    await deleteDocument(id);
    onDeleted(id);
  });
  function toggle(id: string): void {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  }
  const columns: Column<DocumentView>[] = [
    {
      title: "Select",
      hideTitle: true,
      cell: ({ document_id, title }) => (
        <input
          type="checkbox"
          aria-label={`Search only ${title}`}
          checked={selected.has(document_id)}
          onChange={() => toggle(document_id)}
        />
      ),
    },
    {
      title: "Title",
      cell: (document) => (
        <>
          <button type="button" className="link" onClick={() => onOpen(document)}>
            {document.title}
          </button>{" "}
          {document.tags.map((name) => (
            <button
              key={name}
              type="button"
              className="tag"
              title={`Show “${name}” only`}
              onClick={() => setTag(name)}
            >
              {name}
            </button>
          ))}
          {document.error !== null && <p className="small">{document.error.message}</p>}
        </>
      ),
    },
    {
      title: "Pages",
      wideOnly: true,
      muted: true,
      cell: (document) => `${document.pages} · ${bytes(document.bytes)}`,
    },
    {
      title: "Status",
      cell: ({ status, pages, pages_done, ocr_pages, ocr_pages_done }) => (
        <StatusChip status={status}>
          {status === "processing" && ocr_pages > 0
            ? ` · reading scans ${ocr_pages_done}/${ocr_pages}`
            : status === "processing" && pages > 0
              ? ` ${pages_done}/${pages}`
              : ""}
        </StatusChip>
      ),
    },
    { title: "Added", wideOnly: true, muted: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (document) =>
        !isReader && (
          <>
            {may("updateDocument") && (
              <button
                type="button"
                className="btn ghost icon"
                aria-label={`Edit tags of ${document.title}`}
                title="Edit tags"
                onClick={() => setTagging(document)}
              >
                <Tag size={15} />
              </button>
            )}
            {collection !== undefined && may("removeDocumentFromCollection") && (
              <button
                type="button"
                className="btn ghost icon"
                aria-label={`Take ${document.title} out of the collection`}
                title="Take out of the collection"
                onClick={() =>
                  move.mutate(() => removeFromCollection(collection.collection_id, document.document_id))
                }
              >
                <FolderMinus size={15} />
              </button>
            )}
            <DeleteButton
              may="deleteDocument"
              label={`Delete ${document.title}`}
              question={`Delete “${document.title}”?`}
              consequence="The file and its index are deleted permanently."
              onConfirm={() => remove.mutateAsync(document.document_id)}
            />
            {document.status === "indexed" && (
              <TransferMenu record={{ kind: "document", id: document.document_id, name: document.title }} />
            )}
          </>
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
        {(tags.length > 0 || tag !== "") && (
          <select
            className="in tag-filter"
            aria-label="Tag"
            value={tag}
            onChange={(event) => setTag(event.target.value)}
          >
            <option value="">All tags</option>
            {[...new Set([...tags, ...(tag === "" ? [] : [tag])])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
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
