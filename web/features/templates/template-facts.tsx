import type { ReactNode } from "react";
import type { Step } from "../../../contract/graph.ts";
import type { Template } from "../../api/types.ts";
import { innerSteps } from "../../flow/inner-steps.ts";
import { stepSummary } from "../../flow/step-summary.ts";
import type { TemplateNeed } from "../../flow/template-needs.ts";
import { stepTitle } from "../../../contract/graph/step-titles.ts";
import { AppWords, StepTile } from "../canvas/step-tile.tsx";
import { triggerLabel } from "./need-chips.tsx";
import { NeedRow } from "./need-row.tsx";

interface TemplateFactsProps {
  template: Template;
  needs: readonly TemplateNeed[];
  /** The chosen connections, by the key of their need. */
  connections: Readonly<Record<string, string>>;
  onConnect: (key: string, connection: string | undefined) => void;
}

/** What starts it, what it needs, what it takes and what it does. */
export function TemplateFacts({ template, needs, connections, onConnect }: TemplateFactsProps) {
  const { description, trigger, inputSchema } = template;
  const fields = Object.entries(inputSchema?.properties ?? {});
  const { steps } = template;
  return (
    <>
      <p>{description}</p>
      {trigger !== undefined && (
        <Part title="Starts with">
          <p className="small">
            <b>{triggerLabel(trigger)}</b> · {trigger.text}. You set it up after creating the workflow; it
            runs by hand, too.
          </p>
        </Part>
      )}
      <Part title="Needs">
        {needs.length === 0 ? (
          <p className="small muted">No connection, model or variable.</p>
        ) : (
          <ul className="plain-list stack tight">
            {needs.map((need, index) => (
              <NeedRow
                key={index}
                need={need}
                needs={needs}
                connection={need.kind === "connection" ? connections[need.key] : undefined}
                onConnect={onConnect}
              />
            ))}
          </ul>
        )}
      </Part>
      {fields.length > 0 && (
        <Part title="Input">
          <ul className="plain-list stack tight">
            {fields.map(([name, field]) => (
              <li key={name} className="small">
                <b>{field.title ?? name}</b> <code className="xs">{name}</code>{" "}
                <span className="muted">{field.description ?? TYPES[field.type] ?? field.type}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Steps">
        <ol className="plain-list template-steps">
          {steps.map((step) => (
            <StepLine key={step.stepId} step={step} />
          ))}
        </ol>
      </Part>
    </>
  );
}

/** A step, and below it the steps of a loop. */
function StepLine({ step }: { step: Step }) {
  const inside = innerSteps(step);
  return (
    <li>
      <div className="template-step">
        <StepTile type={step.type} app={step["app"]} />
        <span>
          <b>{stepTitle(step)}</b>
          <span className="xs muted">
            {typeof step["app"] === "string" ? (
              <AppWords app={step["app"]} action={step["action"]} fallback={stepSummary(step)} />
            ) : (
              stepSummary(step)
            )}
          </span>
        </span>
      </div>
      {inside.length > 0 && (
        <ol className="plain-list template-steps">
          {inside.map((each) => (
            <StepLine key={each.stepId} step={each} />
          ))}
        </ol>
      )}
    </li>
  );
}

const TYPES: Readonly<Record<string, string>> = {
  string: "Text",
  array: "List",
  integer: "Whole number",
  number: "Number",
  boolean: "Yes or no",
  object: "Fields",
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack tight">
      <h2 className="template-part">{title}</h2>
      {children}
    </section>
  );
}
