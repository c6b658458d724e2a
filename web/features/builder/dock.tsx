import { ChevronRight } from "lucide-react";
import { Suspense } from "react";
import { useRecentTasks } from "../../api/tasks.ts";
import { nodeIdOf } from "../../flow/scopes.ts";
import { selectStep } from "../../flow/selection.ts";
import { Ago } from "../../ui/ago.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { StatusChip } from "../../ui/status.tsx";
import { ProblemList } from "./canvas/problem-list.tsx";
import { MAX_RUNS } from "./run/use-run-commands.ts";
import type { BuilderState } from "./use-builder.ts";

/** Loaded with the first run that is opened. */
const RunDrawer = lazyComponent(() => import("./run/run-drawer.tsx"), "RunDrawer");

/** The bar below the canvas: the last run, the problems of the draft and the shortcuts. */
export function Dock({ builder }: { builder: BuilderState }) {
  const { validation, setSelection, history } = builder;
  return (
    <footer className="dock" aria-label="Last run and problems">
      <LastRun builder={builder} />
      <span className="grow" />
      <ProblemList
        validation={validation}
        onOpen={(id) => setSelection(selectStep(nodeIdOf(history.draft, id) ?? id))}
      />
      <button
        type="button"
        className="btn ghost tiny wide-only"
        onClick={() => dispatchEvent(new Event("baton:shortcuts"))}
      >
        Shortcuts <kbd>?</kbd>
      </button>
    </footer>
  );
}

function LastRun({ builder }: { builder: BuilderState }) {
  const { live, workflow, openRun, closeRun } = builder;
  const newest = useRecentTasks({ workflowId: workflow.id, limit: MAX_RUNS }).data?.tasks[0];
  const shown = live.task ?? newest;
  if (shown === undefined) return <span className="small muted">No runs yet</span>;
  const isOpen = live.task !== undefined;
  return (
    <>
      <button
        type="button"
        className="btn ghost tiny last-run"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? closeRun() : openRun(shown.id))}
      >
        <ChevronRight size={14} aria-hidden /> Last run
      </button>
      <StatusChip status={live.progress?.status ?? shown.status} />
      <span className="small muted wide-only">
        <Ago at={shown.createdAt} />
      </span>
    </>
  );
}

/** The steps of the run started or opened here, above the dock. */
export function OpenRun({ builder }: { builder: BuilderState }) {
  const { live, history, setSelection, setTab, closeRun } = builder;
  if (live.task === undefined || live.progress === undefined) return null;
  return (
    <Suspense fallback={null}>
      <RunDrawer
        task={live.task}
        progress={live.progress}
        clockOffsetMs={live.clockOffsetMs}
        draft={history.draft}
        onSelect={(id) => {
          setSelection(selectStep(id));
          setTab("output");
        }}
        onClose={closeRun}
      />
    </Suspense>
  );
}
