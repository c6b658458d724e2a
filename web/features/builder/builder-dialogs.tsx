import { draftOf } from "../../flow/draft.ts";
import { HistoryDialog } from "./history/history-dialog.tsx";
import { MergeDialog } from "./history/merge-dialog.tsx";
import { RunDialog } from "./run/run-dialog.tsx";
import type { BuilderState } from "./use-builder.ts";

/** The one open panel; a save conflict may open on top of it. */
export function BuilderDialogs({ builder }: { builder: BuilderState }) {
  const { workflow, history, autosave, panel, closePanel, commands, conflict, closeConflict } = builder;
  return (
    <>
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
    </>
  );
}
