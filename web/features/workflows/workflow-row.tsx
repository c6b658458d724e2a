import { MoreHorizontal } from "lucide-react";
import { Link } from "wouter";
import type { RecentRuns } from "../../api/stats.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { placeWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { messageOf } from "../../api/api-error.ts";
import { Ago } from "../../ui/ago.tsx";
import { RunBars } from "../../ui/charts/run-bars.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LoadOnOpen } from "../../ui/lazy-menu.tsx";
import { statusLabel } from "../../ui/status.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { TriggerIcon, type TriggerKind } from "./triggers.tsx";
import { useMay } from "../../api/permissions.ts";

const loadMenu = () => import("./workflow-menu.tsx");
const WorkflowMenu = lazyComponent(loadMenu, "WorkflowMenu");

/** What a drag of a row carries. */
export const DRAG_TYPE = "application/x-baton-workflow";

interface WorkflowRowProps {
  workflow: WorkflowHead;
  triggers: readonly TriggerKind[];
  recent: RecentRuns | undefined;
  folders: readonly string[];
  onTag: (tag: string) => void;
}

export function WorkflowRow({ workflow, triggers, recent, folders, onTag }: WorkflowRowProps) {
  const { id, name, description, tags, active } = workflow;
  const pause = useWorkflowMutation((next: boolean) => placeWorkflow(id, { active: next }));
  const may = useMay();
  const success = successOf(recent);
  const menuButton = (
    <button type="button" className="btn ghost icon" aria-label={`Actions of ${name}`}>
      <MoreHorizontal size={15} />
    </button>
  );
  return (
    <tr
      draggable={may("updateWorkflow")}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAG_TYPE, id);
        event.dataTransfer.effectAllowed = "move";
      }}
    >
      <td className="library-name">
        <div className="row">
          <TriggerIcon kinds={triggers} />
          <Link href={`/workflows/${id}`} className="few-lines">
            {name}
          </Link>
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag"
              title={`Show “${tag}” only`}
              onClick={() => onTag(tag)}
            >
              {tag}
            </button>
          ))}
        </div>
        {description !== "" && <p className="xs muted few-lines">{description}</p>}
      </td>
      <td>
        <Switch
          name={`${name} is active`}
          checked={pause.isPending ? pause.variables : active}
          disabled={pause.isPending}
          may="updateWorkflow"
          onChange={(next) => pause.mutate(next, { onError: (error) => showToast(messageOf(error)) })}
        />
      </td>
      <td className="small muted wide-only library-more nowrap">{versionLabel(workflow)}</td>
      <td className="wide-only">
        <RunBars runs={recent?.runs ?? []} />
      </td>
      <td className={`num wide-only library-more ${success === undefined ? "" : toneOfSuccess(success)}`}>
        {success === undefined ? "" : `${(success * 100).toFixed(success === 1 ? 0 : 1)} %`}
      </td>
      <td className="small muted library-last">
        <LastRun recent={recent} />
      </td>
      <td className="cell-actions">
        <LoadOnOpen trigger={menuButton} load={loadMenu}>
          <WorkflowMenu trigger={menuButton} workflow={workflow} folders={folders} />
        </LoadOnOpen>
      </td>
    </tr>
  );
}

function LastRun({ recent }: { recent: RecentRuns | undefined }) {
  // Until the service has responded, "Never" would be a guess.
  if (recent === undefined) return null;
  if (recent.lastRun === null) return <>Never</>;
  const { taskId, status, createdAt } = recent.lastRun;
  return (
    <Link href={`/runs/${taskId}`} className="last-run" data-status={status}>
      {status !== "completed" && (
        <span className={status === "failed" ? "c-bad" : ""}>{statusLabel(status)} </span>
      )}
      <Ago at={createdAt} />
    </Link>
  );
}

function versionLabel({ version, draft, published }: WorkflowHead): string {
  if (published === false) return "Not published";
  return draft === undefined ? `v${version}` : `v${version} + draft`;
}

/** Completed runs as a share of those of the last 20 that completed or failed. */
function successOf(recent: RecentRuns | undefined): number | undefined {
  const count = (wanted: string): number =>
    recent?.runs.filter(({ status }) => status === wanted).length ?? 0;
  const [completed, failed] = [count("completed"), count("failed")];
  return completed + failed === 0 ? undefined : completed / (completed + failed);
}

function toneOfSuccess(success: number): string {
  return success < 0.95 ? "c-bad" : success < 1 ? "c-wait" : "";
}
