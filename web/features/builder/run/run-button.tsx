import { ChevronDown, FastForward, Play, TriangleAlert } from "lucide-react";
import { selectStep } from "../../../flow/selection.ts";
import { LazyMenu } from "../../../ui/lazy-menu.tsx";
import { modifier } from "../../../ui/shortcuts.ts";
import { countOf } from "../publish/count-of.ts";
import { isPublished } from "../publish/is-published.ts";
import type { BuilderState } from "../use-builder.ts";

/** Runs the draft, as far as it is complete, and says what is missing. */
export function RunButton({ builder }: { builder: BuilderState }) {
  const { workflow, completeness, selection, commands, openPanel } = builder;
  const { incomplete, complete, ofTheGraph } = completeness;
  const isComplete = incomplete.length + ofTheGraph.length === 0;
  const canRun = isComplete ? builder.history.draft.steps.length > 0 : complete.length > 0;
  return (
    <>
      {!isComplete && <Missing builder={builder} />}
      {(isComplete || canRun) && (
        <span className="run-group">
          <button
            type="button"
            className="btn"
            disabled={!canRun}
            onClick={commands.runOrAsk}
            title={
              isComplete
                ? `Run the draft (${modifier}Enter)`
                : `Run the ${countOf(complete.length, "step")} that need nothing more (${modifier}Enter)`
            }
          >
            <Play size={14} /> Run
          </button>
          <LazyMenu
            trigger={
              <button type="button" className="btn icon wide-only" aria-label="More ways to run">
                <ChevronDown size={14} />
              </button>
            }
            groups={[
              [
                {
                  label: "Run with input …",
                  icon: <Play />,
                  disabled: !canRun,
                  onSelect: commands.askForInput,
                },
                {
                  label: "Run selected steps",
                  icon: <FastForward />,
                  disabled: selection.stepIds.size === 0,
                  onSelect: commands.runSelected,
                },
                {
                  label: `Run live v${workflow.version} …`,
                  icon: <Play />,
                  disabled: !isPublished(workflow),
                  onSelect: () => openPanel("run-live"),
                },
              ],
            ]}
          />
        </span>
      )}
    </>
  );
}

/** "2 steps need setup": opens the first of them. */
function Missing({ builder }: { builder: BuilderState }) {
  const { incomplete, nodesToSetUp, ofTheGraph } = builder.completeness;
  const [first] = incomplete;
  const label =
    incomplete.length > 0
      ? `${countOf(incomplete.length, "step")} ${incomplete.length === 1 ? "needs" : "need"} setup`
      : countOf(ofTheGraph.length, "problem");
  return (
    <button
      type="button"
      className="btn run-needs-setup"
      title={builder.validation.errors[0]?.message}
      onClick={() => {
        if (first === undefined) return builder.openPanel("publish");
        builder.closePanel();
        builder.setTab("settings");
        builder.setSelection(selectStep(nodesToSetUp.get(first) ?? first));
      }}
    >
      <TriangleAlert size={14} /> {label}
    </button>
  );
}
