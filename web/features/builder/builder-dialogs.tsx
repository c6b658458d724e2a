import { Suspense } from "react";
import { draftOf } from "../../flow/draft.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import type { BuilderState } from "./use-builder.ts";

/** Loaded when they are opened. */
const HistoryDialog = lazyComponent(() => import("./history/history-dialog.tsx"), "HistoryDialog");
const MergeDialog = lazyComponent(() => import("./history/merge-dialog.tsx"), "MergeDialog");
const RunDialog = lazyComponent(() => import("./run/run-dialog.tsx"), "RunDialog");

/** The one open panel; a save conflict may open on top of it. */
export function BuilderDialogs({ builder }: { builder: BuilderState }) {
  const { workflow, history, autosave, panel, closePanel, commands, conflict, closeConflict } = builder;
  return (
    <Suspense fallback={null}>
      {panel === "run" && (
        <RunDialog
          workflowId={workflow.id}
          schema={history.draft.inputSchema}
          lastInput={builder.known.input}
          onRun={commands.run}
          onClose={closePanel}
        />
      )}
      {panel === "versions" && (
        <HistoryDialog
          workflowId={workflow.id}
          current={history.draft}
          onClose={closePanel}
          onRestored={(next) => {
            const restored = draftOf(next);
            autosave.rebase(next, restored);
            history.reset(restored);
            closePanel();
          }}
        />
      )}
      {conflict !== undefined && (
        <MergeDialog
          base={conflict.base}
          mine={history.draft}
          theirs={conflict.theirs}
          onMerged={(merged) => {
            // Rebased first: the edit below then saves on top of the other version instead of conflicting again.
            autosave.rebase(conflict.theirs);
            history.edit(() => merged);
            closeConflict();
          }}
          onClose={closeConflict}
        />
      )}
    </Suspense>
  );
}
