import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { N8nPreview } from "../../api/n8n-import.ts";
import { type N8nFile, n8nName } from "../../flow/n8n-import-link.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure } from "../../ui/states.tsx";
import { ImportStages } from "./import-stages.tsx";
import { NodeDetail } from "./node-detail.tsx";
import type { ConnectionName } from "./node-table.tsx";
import { NodesCard } from "./nodes-card.tsx";
import { ReviewSummary } from "./review-summary.tsx";
import { useImport } from "./use-import.ts";
import { useReview } from "./use-review.ts";

interface ReviewScreenProps {
  file: N8nFile;
  preview: N8nPreview;
  /** Ids by the name of the node. */
  connections: Record<string, string>;
  connectionName: ConnectionName;
  connectionChoices: ReactNode;
}

/** Every node with its result, what needs a person first, and one of them in detail. */
export function ReviewScreen(props: ReviewScreenProps) {
  const { file, preview, connections, connectionName, connectionChoices } = props;
  const { source, triggers, workflow } = preview;
  const [name, setName] = useState(() => n8nName(file) ?? source.name);
  const review = useReview(preview);
  const { node } = review;
  const run = useImport({ file, name, connections, checked: review.checked });
  return (
    <Screen
      title="Import from n8n"
      breadcrumbs={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      center={<ImportStages stage="Review" />}
      actions={
        <>
          <Link href="/workflows" className="btn ghost wide-only">
            Cancel
          </Link>
          <button
            type="button"
            className="btn go"
            disabled={run.isPending || name.trim() === ""}
            onClick={() => run.mutate(undefined)}
          >
            Import as draft
          </button>
        </>
      }
    >
      <div className={`n8n-review${node === undefined ? "" : " with-panel"}`}>
        <div className="page">
          {run.error !== null && <Failure error={run.error} />}
          <ReviewSummary
            file={file}
            source={source}
            counts={review.counts}
            triggers={triggers}
            name={name}
            onName={setName}
          />
          {connectionChoices}
          <NodesCard review={review} graph={workflow.metadata} connectionName={connectionName} />
        </div>
        {node !== undefined && <NodeDetail review={review} node={node} connectionName={connectionName} />}
      </div>
    </Screen>
  );
}
