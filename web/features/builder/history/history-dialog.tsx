import { useState } from "react";
import type { VersionHead, Workflow } from "../../../api/types.ts";
import { rollBack, useVersion, useVersionPages, useWorkflowMutation } from "../../../api/workflows.ts";
import type { NamedGraph } from "../../../flow/compare-graphs.ts";
import { draftOf } from "../../../flow/draft.ts";
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

/** Lists the versions of a workflow, compares two of them and restores one. */
export function HistoryDialog({ workflowId, current, onRestored, onClose }: HistoryDialogProps) {
  const versions = useVersionPages(workflowId);
  const [selected, setSelected] = useState<number>();
  const [against, setAgainst] = useState<number>();
  return (
    <Dialog title="Version history" onClose={onClose} wide>
      <Loaded query={versions}>
        {(list) => (
          <div className="history">
            <div className="stack tight">
              <VersionList versions={list} selected={selected} onSelect={setSelected} />
              <ShowMore list={versions} />
            </div>
            {selected === undefined ? (
              <p className="muted">
                Select a version to compare or restore it. Restoring creates a new version; older versions are
                kept.
              </p>
            ) : (
              <Comparison
                workflowId={workflowId}
                version={selected}
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

interface VersionListProps {
  versions: readonly VersionHead[];
  selected: number | undefined;
  onSelect: (version: number) => void;
}

function VersionList({ versions, selected, onSelect }: VersionListProps) {
  return (
    <ol className="versions" aria-label="Versions">
      {versions.map((entry, index) => (
        <li key={entry.version}>
          <button
            type="button"
            className="version"
            aria-pressed={selected === entry.version}
            onClick={() => onSelect(entry.version)}
          >
            <b>v{entry.version}</b>
            <span className="small">{entry.note || entry.name}</span>
            <span className="xs muted">
              <Ago at={entry.createdAt} />
              {index === 0 ? " · current" : ""}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

interface ComparisonProps {
  workflowId: string;
  version: number;
  /** Undefined compares with the draft on the canvas. */
  against: number | undefined;
  setAgainst: (version: number | undefined) => void;
  versions: readonly VersionHead[];
  current: NamedGraph;
  onRestored: (workflow: Workflow) => void;
}

function Comparison(props: ComparisonProps) {
  const { workflowId, version, against, setAgainst, versions, current, onRestored } = props;
  const left = useVersion(workflowId, version);
  const right = useVersion(workflowId, against);
  const restore = useWorkflowMutation(() => rollBack(workflowId, version), onRestored);
  const other = against === undefined ? current : right.data && draftOf(right.data);
  return (
    <div className="stack">
      <div className="row wrap">
        <label className="small row">
          <span className="nowrap">Compare v{version} with</span>
          <select
            className="in"
            value={against ?? ""}
            onChange={(event) =>
              setAgainst(event.target.value === "" ? undefined : Number(event.target.value))
            }
          >
            <option value="">current draft</option>
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
          disabled={restore.isPending}
          onClick={() => restore.mutate(undefined)}
        >
          Restore v{version}
        </button>
      </div>
      {restore.error !== null && <Failure error={restore.error} />}
      {left.data === undefined || other === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <GraphChanges before={draftOf(left.data)} after={other} />
      )}
    </div>
  );
}
