import { X } from "lucide-react";
import { Suspense } from "react";
import { Link } from "wouter";
import type { Task } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import { runErrorText } from "../../../flow/error-text.ts";
import type { RunProgress } from "../../../flow/run-progress.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { Skeleton } from "../../../ui/states.tsx";
import { StatusChip } from "../../../ui/status.tsx";

/** Loaded when a run is opened: most visits of the builder open none. */
const RunTimeline = lazyComponent(() => import("../../runs/run-timeline.tsx"), "RunTimeline");

interface RunDrawerProps {
  task: Task;
  progress: RunProgress;
  clockOffsetMs: number | undefined;
  draft: Draft;
  onSelect: (stepId: string) => void;
  onClose: () => void;
}

/** The run started here, below the canvas that shows its progress. */
export function RunDrawer({ task, progress, clockOffsetMs, draft, onSelect, onClose }: RunDrawerProps) {
  const error = runErrorText(task, draft);
  const failed =
    progress.status === "failed"
      ? [...progress.steps.values()].find(({ status }) => status === "failed")
      : undefined;
  return (
    <section className="run-drawer" aria-label="Current run">
      <div className="row small">
        <StatusChip status={progress.status} />
        <span className="grow ellipsis bad-ink" title={error}>
          {error}
        </span>
        {failed !== undefined && (
          <button type="button" className="btn tiny go" onClick={() => onSelect(failed.stepId)}>
            Open failed step
          </button>
        )}
        <Link href={`/runs/${task.id}`} className="btn tiny">
          Open run
        </Link>
        <button type="button" className="btn ghost icon" aria-label="Close run" onClick={onClose}>
          <X size={14} />
        </button>
      </div>
      <Suspense fallback={<Skeleton rows={2} height={30} />}>
        <RunTimeline
          task={task}
          progress={progress}
          graph={draft}
          clockOffsetMs={clockOffsetMs}
          onSelect={onSelect}
        />
      </Suspense>
    </section>
  );
}
