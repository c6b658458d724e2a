import { ArrowDown, ArrowUp, Trash2, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepTypes } from "../../../../contract/steps/catalogue.ts";
import { addStep, removeSteps } from "../../../flow/draft.ts";
import { editInner, innerGraph, reorderStep } from "../../../flow/inner-graph.ts";
import { nestedStepIds } from "../../../flow/inner-steps.ts";
import { stepSummary, stepTitle } from "../../../flow/step-summary.ts";
import { loopValues } from "../../../flow/values.ts";
import { stepIcon } from "../../canvas/step-icons.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { newStep } from "../../../flow/new-step.ts";
import type { PickValue } from "../placeholders/pick-value.ts";
import { StepTitles, useTitles } from "../placeholders/step-titles.ts";
import type { StepFormProps } from "./step-form.tsx";
import type { Edit } from "../use-draft.ts";

interface InnerStepsProps {
  step: Step;
  edit: Edit;
  label: string;
  hint: string | undefined;
  wrong: string | undefined;
  /** Ids of the steps with which something is wrong. */
  wrongSteps: ReadonlySet<string | undefined>;
  lastItem: unknown;
  onPick: PickValue;
  /** The form of one of them: the same as outside, which is why it comes from there. */
  form: (props: Omit<StepFormProps, "problems" | "suggestions">) => ReactNode;
}

/** The steps that a loop runs for each item: a list of forms, each of which may hold a loop again. */
export function InnerSteps({
  step,
  edit,
  label,
  hint,
  wrong,
  lastItem,
  onPick,
  form,
  wrongSteps,
}: InnerStepsProps) {
  const inner = innerGraph(step);
  const titles = useTitles(inner.steps);
  /** By its place in the list: names change while they are edited. */
  const [open, setOpen] = useState<number>();
  const [edge, setEdge] = useState<string>();
  const editHere: Edit = (change, tag) =>
    edit((now) => editInner(now, step.stepId, change), tag === undefined ? tag : `${step.stepId}/${tag}`);

  function add(type: string): void {
    // Names of steps around the loop are in sight of it, and the draft around it knows them.
    edit((now) =>
      editInner(now, step.stepId, (graph) => addStep(graph, newStep([...now.steps, ...graph.steps], type))),
    );
    setOpen(inner.steps.length);
  }

  return (
    <StepTitles value={titles}>
      <fieldset className="field inner-steps">
        <legend className="name">{label}</legend>
        {inner.steps.map((entry, index) => {
          const Icon = stepIcon(entry.type);
          const title = stepTitle(entry);
          const props = {
            draft: inner,
            step: entry,
            edit: editHere,
            onOpenEdge: setEdge,
            onRenamed: () => {},
            onPick: ((insert, inside = []) =>
              onPick(insert, [...inside, ...loopValues(inner, entry.stepId, lastItem)])) satisfies PickValue,
          };
          return (
            <details
              key={index}
              className="card flat fold"
              open={open === index}
              onToggle={(event) => {
                if (event.target !== event.currentTarget) return;
                if (event.currentTarget.open) setOpen(index);
                else if (open === index) setOpen(undefined);
              }}
            >
              <summary className="small">
                <Icon size={14} aria-hidden />
                <b>{title}</b>
                <span className="muted ellipsis grow">{stepSummary(entry)}</span>
                {[entry.stepId, ...nestedStepIds(entry)].some((id) => wrongSteps.has(id)) && (
                  <TriangleAlert
                    size={14}
                    className="bad-ink"
                    role="img"
                    aria-label="Something is wrong here"
                  />
                )}
              </summary>
              {open === index && (
                <div className="stack">
                  <div className="row">
                    <button
                      type="button"
                      className="btn ghost icon"
                      aria-label={`Move ${title} up`}
                      disabled={index === 0}
                      onClick={() => {
                        editHere((now) => reorderStep(now, entry.stepId, -1));
                        setOpen(index - 1);
                      }}
                    >
                      <ArrowUp size={14} />
                    </button>
                    <button
                      type="button"
                      className="btn ghost icon"
                      aria-label={`Move ${title} down`}
                      disabled={index === inner.steps.length - 1}
                      onClick={() => {
                        editHere((now) => reorderStep(now, entry.stepId, 1));
                        setOpen(index + 1);
                      }}
                    >
                      <ArrowDown size={14} />
                    </button>
                    <span className="grow" />
                    <button
                      type="button"
                      className="btn tiny danger"
                      aria-label={`Remove ${title}`}
                      onClick={() => {
                        editHere((now) => removeSteps(now, new Set([entry.stepId])));
                        setOpen(undefined);
                      }}
                    >
                      <Trash2 size={13} /> Remove
                    </button>
                  </div>
                  {form({ ...props, part: "settings" })}
                  <details>
                    <summary className="small">Retries</summary>
                    <div className="stack">{form({ ...props, part: "policy" })}</div>
                  </details>
                </div>
              )}
            </details>
          );
        })}
        {edge !== undefined && (
          <div className="card flat pad">
            <EdgeInspector draft={inner} edgeId={edge} edit={editHere} onGone={() => setEdge(undefined)} />
          </div>
        )}
        <select
          className="in"
          aria-label={`${label}: add a step`}
          value=""
          onChange={(event) => add(event.target.value)}
        >
          <option value="">Add step …</option>
          {stepTypes.map(({ type, title }) => (
            <option key={type} value={type}>
              {title}
            </option>
          ))}
        </select>
        {wrong !== undefined && <p className="wrong">{wrong}</p>}
        {hint !== undefined && <p className="hint">{hint}</p>}
      </fieldset>
    </StepTitles>
  );
}
