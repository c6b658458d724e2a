import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { Place } from "../../../flow/add-step.ts";
import { asCopiedSteps } from "../../../flow/clipboard.ts";
import type { Draft } from "../../../flow/draft.ts";
import { locate } from "../../../flow/scopes.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { takeProposedTrigger } from "../builder-link.ts";
import { useAddTrigger } from "../triggers/use-add-trigger.ts";
import type { BuilderState } from "../use-builder.ts";
import type { TypedText } from "./use-step-search.ts";

const StepPicker = lazyComponent(() => import("./step-picker.tsx"), "StepPicker");
const GenerateDialog = lazyComponent(() => import("../generate-dialog.tsx"), "GenerateDialog");

/** The step picker, while it is open, and the dialog that writes steps from a description. */
export function OpenPicker({ builder }: { builder: BuilderState }) {
  const { workflow, history, commands, known } = builder;
  const { draft } = history;
  const { adding, description } = commands;
  const addTrigger = useAddTrigger(builder);
  useEffect(() => {
    const proposed = takeProposedTrigger();
    if (proposed !== undefined) addTrigger(proposed.kind, proposed);
    // Once, when the builder opens.
    // oxlint-disable-next-line exhaustive-deps
  }, []);
  const previous = adding === undefined ? undefined : previousOf(draft, adding.place);
  return (
    <>
      {adding !== undefined && (
        <WithTypedText onClose={commands.closePicker}>
          {(typed) => (
            <StepPicker
              typed={typed}
              workflowId={workflow.id}
              near={adding.near}
              where={describePlace(draft, adding.place)}
              previous={previous}
              output={previous === undefined ? undefined : known.outputs.get(previous.stepId)}
              onPick={(entry) => {
                if (entry.trigger === undefined) return commands.add(entry);
                commands.closePicker();
                addTrigger(entry.trigger);
              }}
              onDescribe={commands.describe}
              onClose={commands.closePicker}
            />
          )}
        </WithTypedText>
      )}
      {description !== undefined && (
        <Suspense>
          <GenerateDialog
            initialPrompt={description}
            onUse={(graph, trigger) => {
              commands.paste(asCopiedSteps(graph));
              if (trigger !== undefined) addTrigger(trigger.kind, trigger);
            }}
            onClose={commands.closeDescription}
          />
        </Suspense>
      )}
    </>
  );
}

interface WithTypedTextProps {
  onClose: () => void;
  children: (typed: TypedText) => ReactNode;
}

/** Keeps what is typed while the picker loads: on the canvas, letters are shortcuts that change steps. */
function WithTypedText({ onClose, children }: WithTypedTextProps) {
  const [typed, setTyped] = useState<TypedText>({ text: "", isEntered: false });
  const field = (
    <input
      ref={(input) => input?.focus()}
      className="visually-hidden"
      aria-label="Search steps"
      value={typed.text}
      onChange={(event) => setTyped({ ...typed, text: event.target.value })}
      onKeyDown={(event) => {
        if (event.key === "Enter") setTyped({ ...typed, isEntered: true });
        if (event.key === "Escape") onClose();
      }}
    />
  );
  return <Suspense fallback={field}>{children(typed)}</Suspense>;
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
