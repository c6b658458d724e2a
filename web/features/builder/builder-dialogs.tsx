import { Suspense } from "react";
import { lazyComponent } from "../../ui/lazy-component.ts";
import type { BuilderState } from "./use-builder.ts";
import { useMay } from "../../api/permissions.ts";

/** Loaded when they are opened. */
const MergeDialog = lazyComponent(() => import("./history/merge-dialog.tsx"), "MergeDialog");
const RunDialog = lazyComponent(() => import("./run/run-dialog.tsx"), "RunDialog");
const RunSettingsDialog = lazyComponent(() => import("./run/run-settings-dialog.tsx"), "RunSettingsDialog");

/** The one open panel; a save conflict may open on top of it. */
export function BuilderDialogs({ builder }: { builder: BuilderState }) {
  const { workflow, history, panel, closePanel, commands, conflicts } = builder;
  const may = useMay();
  return (
    <Suspense fallback={null}>
      {(panel === "run" || panel === "run-live") && may("runWorkflow") && (
        <RunDialog
          workflowId={workflow.id}
          schema={panel === "run" ? history.draft.inputSchema : workflow.metadata.inputSchema}
          lastInput={builder.known.input}
          pinnedInput={panel === "run" ? builder.pinnedInput.input : undefined}
          onRun={panel === "run" ? commands.runAsked : commands.runLive}
          onClose={closePanel}
        />
      )}
      {panel === "run-settings" && <RunSettingsDialog workflow={workflow} onClose={closePanel} />}
      {conflicts.open !== undefined && (
        <MergeDialog
          conflict={conflicts.open}
          mine={history.draft}
          onMerged={(merged) => conflicts.adopt(conflicts.open!.theirs, merged)}
          onClose={conflicts.close}
        />
      )}
    </Suspense>
  );
}
