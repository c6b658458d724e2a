import { type ReactNode, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepTypes } from "../../../../contract/steps/catalogue.ts";
import { addStep, type Draft, removeSteps } from "../../../flow/draft.ts";
import { editInner, innerGraph, reorderStep } from "../../../flow/inner-graph.ts";
import { nestedStepIds } from "../../../flow/inner-steps.ts";
import { newStep } from "../../../flow/new-step.ts";
import { loopValues } from "../../../flow/pickable-values.ts";
import { StepTitles, useTitles } from "../placeholders/step-titles.ts";
import type { PickValue } from "../placeholders/value-picker.tsx";
import type { Edit } from "../use-draft.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { InnerStepCard } from "./inner-step-card.tsx";

/** The context of a step's form, inside a loop and outside. */
export interface StepFormTarget {
  draft: Draft;
  step: Step;
  edit: Edit;
  onPick: PickValue;
  onOpenEdge: (edge: string) => void;
  onRenamed: (stepId: string) => void;
  part: "settings" | "policy";
}

interface InnerStepsProps {
  step: Step;
  edit: Edit;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  /** Ids of the steps that have problems. */
  invalidSteps: ReadonlySet<string | undefined>;
  lastItem: unknown;
  onPick: PickValue;
  /** Renders the same form as for steps outside the loop; passed in because that form renders this list. */
  form: (target: StepFormTarget) => ReactNode;
}

/** The steps that a loop runs for each item, as a list of forms. A form may contain another loop. */
export function InnerSteps(props: InnerStepsProps) {
  const { step, edit, label, onPick, form } = props;
  const inner = innerGraph(step);
  const titles = useTitles(inner.steps);
  /** An index, not a step id: the id changes while its field is edited. */
  const [open, setOpen] = useState<number>();
  const [edge, setEdge] = useState<string>();
  const editHere: Edit = (change, tag) =>
    edit((now) => editInner(now, step.stepId, change), tag === undefined ? tag : `${step.stepId}/${tag}`);

  function add(type: string): void {
    // The steps around the loop are visible inside it, so the new id must differ from theirs too.
    edit((now) =>
      editInner(now, step.stepId, (graph) => addStep(graph, newStep([...now.steps, ...graph.steps], type))),
    );
    setOpen(inner.steps.length);
  }

  function move(stepId: string, index: number, by: -1 | 1): void {
    editHere((now) => reorderStep(now, stepId, by));
    setOpen(index + by);
  }

  return (
    <StepTitles value={titles}>
      <fieldset className="field inner-steps">
        <legend className="name">{label}</legend>
        {inner.steps.map((entry, index) => {
          const target = {
            draft: inner,
            step: entry,
            edit: editHere,
            onOpenEdge: setEdge,
            onRenamed: () => {},
            onPick: ((insert, inside = []) =>
              onPick(insert, [
                ...inside,
                ...loopValues(inner, entry.stepId, props.lastItem),
              ])) satisfies PickValue,
          };
          return (
            <InnerStepCard
              key={index}
              step={entry}
              isFirst={index === 0}
              isLast={index === inner.steps.length - 1}
              isOpen={open === index}
              hasProblem={[entry.stepId, ...nestedStepIds(entry)].some((id) => props.invalidSteps.has(id))}
              onToggle={(opened) => {
                if (opened) setOpen(index);
                else if (open === index) setOpen(undefined);
              }}
              onMove={(by) => move(entry.stepId, index, by)}
              onDelete={() => {
                editHere((now) => removeSteps(now, new Set([entry.stepId])));
                setOpen(undefined);
              }}
              settings={() => form({ ...target, part: "settings" })}
              policy={() => form({ ...target, part: "policy" })}
            />
          );
        })}
        {edge !== undefined && (
          <div className="card flat pad">
            <EdgeInspector draft={inner} edgeId={edge} edit={editHere} onDeleted={() => setEdge(undefined)} />
          </div>
        )}
        <AddStepSelect label={label} onAdd={add} />
        {props.error !== undefined && <p className="wrong">{props.error}</p>}
        {props.hint !== undefined && <p className="hint">{props.hint}</p>}
      </fieldset>
    </StepTitles>
  );
}

function AddStepSelect({ label, onAdd }: { label: string; onAdd: (type: string) => void }) {
  return (
    <select
      className="in"
      aria-label={`${label}: add step`}
      value=""
      onChange={(event) => onAdd(event.target.value)}
    >
      <option value="">Add step…</option>
      {stepTypes.map(({ type, title }) => (
        <option key={type} value={type}>
          {title}
        </option>
      ))}
    </select>
  );
}
