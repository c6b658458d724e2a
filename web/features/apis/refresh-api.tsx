import { useEffect, useState } from "react";
import { Link } from "wouter";
import { refreshApi, type RefreshedApp, useApiAppMutation } from "../../api/apis.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { DocumentText } from "./document-fields.tsx";
import "./apis.css";

interface RefreshApiProps {
  id: string;
  title: string;
  /** Null for a document that was pasted: its new text is asked for. */
  source: string | null;
  onClose: () => void;
}

/** Reads the document again, shows what is different, and stores it only then. */
export function RefreshApi({ id, title, source, onClose }: RefreshApiProps) {
  const [document, setDocument] = useState("");
  const given = source === null ? { document } : {};
  const check = useApiAppMutation(() => refreshApi(id, { ...given, dryRun: true }));
  const apply = useApiAppMutation(() => refreshApi(id, { ...given, dryRun: false }), onClose);
  const { mutate } = check;
  // A document with an address is read as soon as the dialog opens.
  useEffect(() => {
    if (source !== null) mutate(undefined);
  }, [mutate, source]);
  const isEmpty = check.data !== undefined && countOf(check.data) === 0;
  return (
    <Dialog title={`Refresh ${title}`} onClose={onClose}>
      <div className="stack">
        {source === null && <DocumentText value={document} onChange={setDocument} />}
        {check.isPending && <Skeleton rows={2} />}
        {check.data !== undefined && <Changes result={check.data} />}
        {(apply.error ?? check.error) !== null && <Failure error={apply.error ?? check.error} />}
        <div className="actions">
          {source === null && (
            <button
              type="button"
              className="btn"
              disabled={check.isPending || document.trim() === ""}
              onClick={() => mutate(undefined)}
            >
              Check for changes
            </button>
          )}
          <button
            type="button"
            className="btn go"
            disabled={check.data === undefined || apply.isPending}
            onClick={() => (isEmpty ? onClose() : apply.mutate(undefined))}
          >
            {isEmpty ? "Close" : apply.isPending ? "Applying…" : "Apply changes"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function countOf({ changes: { added, removed, changed } }: RefreshedApp): number {
  return added.length + removed.length + changed.length;
}

function Changes({ result }: { result: RefreshedApp }) {
  const { added, removed, changed } = result.changes;
  if (countOf(result) === 0) return <p role="status">Nothing has changed.</p>;
  const uses = [...removed, ...changed].flatMap(({ usedBy }) => usedBy);
  return (
    <div className="api-changes" role="status">
      <ChangeList title="Removed" tone="bad" list={removed} />
      <ChangeList title="Changed" tone="wait" list={changed} />
      <ChangeList title="Added" tone="ok" list={added.map((one) => ({ ...one, usedBy: [] }))} />
      {uses.length === 0 && <p className="small muted">No workflow uses what was removed or changed.</p>}
      {result.reconnect.length > 0 && (
        <p className="notice">
          The server is another one. Enter the secret again for{" "}
          {result.reconnect.map(({ name }) => name).join(", ")}.
        </p>
      )}
    </div>
  );
}

const FEW = 20;

interface ChangeListProps {
  title: string;
  tone: string;
  list: readonly { id: string; title: string; usedBy: readonly { id: string; name: string }[] }[];
}

function ChangeList({ title, tone, list }: ChangeListProps) {
  if (list.length === 0) return null;
  // Those in use first: they need attention.
  const sorted = list.toSorted((a, b) => b.usedBy.length - a.usedBy.length);
  return (
    <section aria-label={title}>
      <h3>
        <span className={`chip dot ${tone}`}>
          {title} {list.length}
        </span>
      </h3>
      <ul className="small">
        {sorted.slice(0, FEW).map(({ id, title: name, usedBy }) => (
          <li key={id}>
            {name}
            {usedBy.length > 0 && " · used by "}
            {usedBy.map((use, index) => (
              <span key={use.id}>
                {index > 0 && ", "}
                <Link href={use.id.startsWith("agent_") ? `/agents/${use.id}` : `/workflows/${use.id}`}>
                  {use.name}
                </Link>
              </span>
            ))}
          </li>
        ))}
        {list.length > FEW && <li className="muted">and {list.length - FEW} more</li>}
      </ul>
    </section>
  );
}
