import { useRef } from "react";
import { updateStep } from "../../../flow/draft.ts";
import { nameAfterTitle } from "../../../flow/reference-name.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import type { StepData } from "./use-step-data.ts";

interface StepTitleProps {
  data: StepData;
  onRename: (from: string, to: string) => void;
}

/** The title as a text field. When it is left, the reference name follows it, unless a person has edited the name. */
export function StepTitle({ data: { step, graph, edit }, onRename }: StepTitleProps) {
  const before = useRef(stepTitle(step));
  return (
    <h2 className="step-title">
      <span className="visually-hidden">{stepTitle(step)}</span>
      <input
        aria-label="Title"
        data-rename=""
        value={typeof step["name"] === "string" ? step["name"] : ""}
        placeholder={step.stepId}
        onFocus={() => {
          before.current = stepTitle(step);
        }}
        onChange={(event) =>
          edit(
            (now) =>
              updateStep(now, step.stepId, {
                name: event.target.value === "" ? undefined : event.target.value,
              }),
            `${step.stepId}.name`,
          )
        }
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        onBlur={() => {
          const to = nameAfterTitle(graph.steps, step.stepId, {
            before: before.current,
            after: stepTitle(step),
          });
          if (to !== undefined) onRename(step.stepId, to);
        }}
      />
    </h2>
  );
}
