import { Suspense } from "react";
import type { Place } from "../../../flow/add-step.ts";
import { asCopiedSteps } from "../../../flow/clipboard.ts";
import type { Draft } from "../../../flow/draft.ts";
import { locate } from "../../../flow/scopes.ts";
import { stepTitle } from "../../../flow/step-summary.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import type { BuilderState } from "../use-builder.ts";
import { StepPicker } from "./step-picker.tsx";

const GenerateDialog = lazyComponent(() => import("../generate-dialog.tsx"), "GenerateDialog");

/** The step picker, while it is open, and the dialog that writes steps from a description. */
export function OpenPicker({ builder }: { builder: BuilderState }) {
  const { workflow, history, commands, known } = builder;
  const { draft } = history;
  const { adding, description } = commands;
  const previous = adding === undefined ? undefined : previousOf(draft, adding.place);
  return (
    <>
      {adding !== undefined && (
        <StepPicker
          workflowId={workflow.id}
          near={adding.near}
          where={describePlace(draft, adding.place)}
          previous={previous}
          output={previous === undefined ? undefined : known.outputs.get(previous.stepId)}
          onPick={commands.add}
          onDescribe={commands.describe}
          onClose={commands.closePicker}
        />
      )}
      {description !== undefined && (
        <Suspense>
          <GenerateDialog
            initialPrompt={description}
            onUse={(graph) => commands.paste(asCopiedSteps(graph))}
            onClose={commands.closeDescription}
          />
        </Suspense>
      )}
    </>
  );
}

function previousOf(draft: Draft, place: Place) {
  if (place.kind === "after") return locate(draft, place.nodeId)?.step;
  return place.kind === "line" ? locate(draft, place.source)?.step : undefined;
}

function describePlace(draft: Draft, place: Place): string {
  const title = (id: string): string => {
    const step = locate(draft, id)?.step;
    return step === undefined ? id : stepTitle(step);
  };
  switch (place.kind) {
    case "line":
      return `Insert between ${title(place.source)} and ${title(place.target)}`;
    case "after":
      return `After ${title(place.nodeId)}`;
    case "before":
      return `Before ${title(place.nodeId)}`;
    case "inside":
      return `In ${title(place.loopId)}`;
    case "free":
      return "";
  }
}
