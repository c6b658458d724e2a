import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { deleteDocument, type DocumentView } from "../../api/documents.ts";
import { Failure } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ago, bytes } from "../../ui/time.ts";

interface DocumentTableProps {
  list: DocumentView[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (document: DocumentView) => void;
  onGone: (id: string) => void;
}

export function DocumentTable({ list, chosen, onChoose, onOpen, onGone }: DocumentTableProps) {
  const client = useQueryClient();
  const [tag, setTag] = useState("");
  const remove = useMutation({
    mutationFn: deleteDocument,
    onSuccess: (_answer, id) => onGone(id),
    onSettled: () => void client.invalidateQueries({ queryKey: ["documents"] }),
  });
  const tags = [...new Set(list.flatMap((document) => document.tags))];
  const shown = tag === "" ? list : list.filter((document) => document.tags.includes(tag));
  function toggle(id: string): void {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  }
  return (
    <section className="stack tight" aria-label="Library">
      <div className="row wrap">
        <h2 className="grow">Library</h2>
        {tags.length > 0 && (
          <select
            className="in tag-filter"
            aria-label="Tag"
            value={tag}
            onChange={(event) => setTag(event.target.value)}
          >
            <option value="">All tags</option>
            {tags.map((word) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        )}
      </div>
      {remove.error !== null && <Failure error={remove.error} />}
      <div className="card scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Ask this one</span>
              </th>
              <th>Title</th>
              <th className="wide-only">Pages</th>
              <th>State</th>
              <th className="wide-only">Added</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((document) => (
              <tr key={document.document_id}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Ask only ${document.title}`}
                    checked={chosen.has(document.document_id)}
                    onChange={() => toggle(document.document_id)}
                  />
                </td>
                <td>
                  <button type="button" className="link" onClick={() => onOpen(document)}>
                    {document.title}
                  </button>{" "}
                  {document.tags.map((word) => (
                    <span key={word} className="chip">
                      {word}
                    </span>
                  ))}
                  {document.error !== null && <p className="small">{document.error.message}</p>}
                </td>
                <td className="wide-only muted">
                  {document.pages} · {bytes(document.bytes)}
                </td>
                <td>
                  <StatusChip status={document.status}>
                    {document.status === "processing" && document.pages > 0
                      ? ` ${document.pages_done}/${document.pages}`
                      : ""}
                  </StatusChip>
                </td>
                <td className="wide-only muted">{ago(document.created_at)}</td>
                <td className="cell-actions">
                  <button
                    type="button"
                    className="btn ghost icon"
                    aria-label={`Delete ${document.title}`}
                    onClick={() => remove.mutate(document.document_id)}
                  >
                    <Trash2 size={15} />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
