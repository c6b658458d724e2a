import { Link, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { IMPORT_N8N_PATH, n8nFileOf, n8nState } from "../../flow/n8n-import-link.ts";
import { Screen } from "../../ui/screen.tsx";
import { ImportStages } from "./import-stages.tsx";
import { N8nReview } from "./n8n-review.tsx";
import { N8nUpload } from "./n8n-upload.tsx";
import "./n8n-import.css";

/** Workflows of n8n become drafts: a file is chosen, what every node becomes is reviewed, then it is imported. */
export function N8nImport() {
  const [, navigate] = useLocation();
  const file = n8nFileOf(useHistoryState());
  if (file?.workflows.length === 1) return <N8nReview key={file.readAt} file={file} />;
  return (
    <Screen
      title="Import from n8n"
      breadcrumbs={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      center={<ImportStages stage="Upload" />}
    >
      {file === undefined ? (
        <N8nUpload />
      ) : (
        <div className="page narrow">
          <div className="stack tight">
            <h2>Choose a workflow</h2>
            <p className="muted small">
              {file.fileName} has {file.workflows.length} workflows. They are imported one at a time.
            </p>
          </div>
          <ul className="plain-list card n8n-choices">
            {file.workflows.map((workflow, index) => (
              <li key={index}>
                <button
                  type="button"
                  onClick={() => navigate(IMPORT_N8N_PATH, { state: n8nState(file.fileName, [workflow]) })}
                >
                  <b className="grow ellipsis">{workflow.name ?? "Without a name"}</b>
                  <span className="muted">
                    {workflow.nodes.length} {workflow.nodes.length === 1 ? "node" : "nodes"}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Screen>
  );
}
