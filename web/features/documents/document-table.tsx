import {
  deleteDocument,
  type DocumentView,
  useDocumentMutation,
  useDocumentPages,
  useDocuments,
} from "../../api/documents.ts";
import { Ago } from "../../ui/ago.tsx";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { StatusChip } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { bytes } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";

interface DocumentTableProps {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (document: DocumentView) => void;
  onGone: (id: string) => void;
}

export function DocumentTable({ chosen, onChoose, onOpen, onGone }: DocumentTableProps) {
  const [tag, setTag] = useFilter("tag");
  const documents = useDocumentPages(tag);
  const tags = [...new Set((useDocuments().data ?? []).flatMap((document) => document.tags))];
  const remove = useDocumentMutation(async (id: string) => {
    await deleteDocument(id);
    onGone(id);
  });
  function toggle(id: string): void {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  }
  const columns: Column<DocumentView>[] = [
    {
      title: "Ask this one",
      untitled: true,
      cell: ({ document_id, title }) => (
        <input
          type="checkbox"
          aria-label={`Ask only ${title}`}
          checked={chosen.has(document_id)}
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
          {document.tags.map((word) => (
            <span key={word} className="chip">
              {word}
            </span>
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
      title: "State",
      cell: ({ status, pages, pages_done }) => (
        <StatusChip status={status}>
          {status === "processing" && pages > 0 ? ` ${pages_done}/${pages}` : ""}
        </StatusChip>
      ),
    },
    { title: "Added", wideOnly: true, muted: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      title: "Actions",
      untitled: true,
      actions: true,
      cell: ({ document_id, title }) => (
        <DeleteButton
          label={`Delete ${title}`}
          question={`Delete “${title}”?`}
          consequence="The file and everything that was read from it go for good."
          act={() => remove.mutateAsync(document_id)}
        />
      ),
    },
  ];
  return (
    <section className="stack tight" aria-label="Library">
      <div className="row wrap">
        <h2 className="grow">Library</h2>
        {(tags.length > 0 || tag !== "") && (
          <select
            className="in tag-filter"
            aria-label="Tag"
            value={tag}
            onChange={(event) => setTag(event.target.value)}
          >
            <option value="">All tags</option>
            {[...new Set([...tags, ...(tag === "" ? [] : [tag])])].map((word) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        )}
      </div>
      <RecordTable
        list={documents}
        columns={columns}
        keyOf={({ document_id }) => document_id}
        empty={<p className="muted">No document has this tag.</p>}
      />
    </section>
  );
}
