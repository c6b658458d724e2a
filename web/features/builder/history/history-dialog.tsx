import { useState } from "react";
import type { VersionHead, Workflow, WorkflowVersion } from "../../../api/types.ts";
import { rollBack, useVersion, useVersionPages, useWorkflowMutation } from "../../../api/workflows.ts";
import type { NamedGraph } from "../../../flow/compare-graphs.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ShowMore } from "../../../ui/record-list.tsx";
import { Failure, Loaded, Skeleton } from "../../../ui/states.tsx";
import { GraphChanges } from "./graph-changes.tsx";
import "./versions.css";

interface HistoryDialogProps {
  workflowId: string;
  current: NamedGraph;
  onRestored: (workflow: Workflow) => void;
  onClose: () => void;
}

export function HistoryDialog({ workflowId, current, onRestored, onClose }: HistoryDialogProps) {
  const versions = useVersionPages(workflowId);
  const [chosen, setChosen] = useState<number>();
  const [against, setAgainst] = useState<number>();
  return (
    <Dialog title="History" onClose={onClose} wide>
      <Loaded query={versions}>
        {(list) => (
          <div className="history">
            <div className="stack tight">
              <ol className="versions" aria-label="Versions">
                {list.map((entry, index) => (
                  <li key={entry.version}>
                    <button
                      type="button"
                      className="version"
                      aria-pressed={chosen === entry.version}
                      onClick={() => setChosen(entry.version)}
                    >
                      <b>v{entry.version}</b>
                      <span className="small">{entry.note || entry.name}</span>
                      <span className="xs muted">
                        <Ago at={entry.createdAt} />
                        {index === 0 ? " · now" : ""}
                      </span>
                    </button>
                  </li>
                ))}
              </ol>
              <ShowMore list={versions} />
            </div>
            {chosen === undefined ? (
              <p className="muted">
                Choose a version to see what has changed since, and to go back to it. Going back adds a
                version; nothing is lost.
              </p>
            ) : (
              <Comparison
                workflowId={workflowId}
                version={chosen}
                against={against}
                setAgainst={setAgainst}
                versions={list}
                current={current}
                onRestored={onRestored}
              />
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

interface ComparisonProps {
  workflowId: string;
  version: number;
  against: number | undefined;
  setAgainst: (version: number | undefined) => void;
  versions: VersionHead[];
  current: NamedGraph;
  onRestored: (workflow: Workflow) => void;
}

function Comparison({
  workflowId,
  version,
  against,
  setAgainst,
  versions,
  current,
  onRestored,
}: ComparisonProps) {
  const left = useVersion(workflowId, version);
  const right = useVersion(workflowId, against);
  const back = useWorkflowMutation(() => rollBack(workflowId, version), onRestored);
  const other = against === undefined ? current : right.data && graphOf(right.data);
  return (
    <div className="stack">
      <div className="row wrap">
        <label className="small row">
          <span className="nowrap">v{version} compared with</span>
          <select
            className="in"
            value={against ?? ""}
            onChange={(event) =>
              setAgainst(event.target.value === "" ? undefined : Number(event.target.value))
            }
          >
            <option value="">what is on the canvas</option>
            {versions
              .filter((entry) => entry.version !== version)
              .map((entry) => (
                <option key={entry.version} value={entry.version}>
                  v{entry.version}
                </option>
              ))}
          </select>
        </label>
        <span className="grow" />
        <button
          type="button"
          className="btn"
          disabled={back.isPending}
          onClick={() => back.mutate(undefined)}
        >
          Go back to v{version}
        </button>
      </div>
      {back.error !== null && <Failure error={back.error} />}
      {left.data === undefined || other === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <GraphChanges before={graphOf(left.data)} after={other} />
      )}
    </div>
  );
}

function graphOf({ name, description, metadata }: WorkflowVersion): NamedGraph {
  return { name, description, ...metadata };
}
