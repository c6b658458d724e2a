import { useContext, useEffect, useState } from "react";
import { DataProblem, DataTooLarge } from "../../../../contract/data/data-problem.ts";
import { dataWork } from "../../../../contract/data/operations.ts";
import type { Step } from "../../../../contract/graph.ts";
import { dataStep } from "../../../../contract/steps/data.ts";
import { compileTemplate } from "../../../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { renderTemplate } from "../../../../contract/placeholders/render.ts";
import { isLargeValue } from "../../../api/large-values.ts";
import { formFields } from "../../../flow/form-fields.ts";
import { missingSources } from "../../../flow/resolved-value.ts";
import type { StepScope } from "../../../flow/step-scope.ts";
import { ValueView } from "../../output/value-view.tsx";
import { ScopeContext } from "../placeholders/scope-context.ts";

const SHOWN_ITEMS = 20;
const MAX_BYTES = 10 * 1024 * 1024;
/** Longer than a key press takes, shorter than a person waits. */
const TYPING_MS = 150;
/** The page answers clicks in between. */
const TURN_MS = 12;

type Preview = { before: number; items: readonly JsonValue[] } | { note: string };

/** The result of a data step with the data of the last run, computed as the service does. */
export function DataPreview({ step }: { step: Step }) {
  const scope = useContext(ScopeContext);
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    let timer = setTimeout(() => {
      const prepared = prepare(step, scope);
      if ("note" in prepared) return setPreview(prepared);
      const work = dataWork(prepared.fields, MAX_BYTES);
      const before = Array.isArray(prepared.fields["items"]) ? prepared.fields["items"].length : 0;
      const go = (): void => {
        try {
          for (const turnEnds = performance.now() + TURN_MS; performance.now() < turnEnds;) {
            const { done, value } = work.next();
            if (done === true) return setPreview({ before, items: value });
          }
        } catch (error) {
          return setPreview({ note: noteOf(error) });
        }
        timer = setTimeout(go);
      };
      go();
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [step, scope]);
  return (
    <section className="stack tight data-preview" aria-label="Preview">
      <div className="row">
        <b className="small grow">Preview</b>
        {preview !== undefined && "items" in preview && (
          <span className="small muted" role="status">
            {countOf(preview.items.length)} from {preview.before}
            {preview.items.length > SHOWN_ITEMS && `, the first ${SHOWN_ITEMS} shown`}
          </span>
        )}
      </div>
      {preview !== undefined &&
        ("items" in preview ? (
          preview.items.length > 0 && <ValueView value={preview.items.slice(0, SHOWN_ITEMS)} format="table" />
        ) : (
          <p className="small muted">{preview.note}</p>
        ))}
    </section>
  );
}

function prepare(step: Step, scope: StepScope): { fields: Record<string, JsonValue> } | { note: string } {
  if (step["items"] === undefined || step["items"] === "")
    return { note: "Choose a list in “Items” to see a preview." };
  if ((dataStep.check?.(step) ?? []).length > 0) return { note: "Complete the settings to see a preview." };
  const template = compileTemplate(step as unknown as JsonValue);
  if (template.problems.length > 0) return { note: "Correct the placeholders to see a preview." };
  if (template.expressions.length > 0)
    return { note: "A step with expressions has no preview. Test the step to see its result." };
  const [missing] = missingSources(step, scope);
  if (missing !== undefined)
    return { note: `Run the workflow or “${missing.title}” once to see a preview with its data.` };
  const fields = renderTemplate(template, scope.values) as Record<string, JsonValue>;
  if (isLargeValue(fields["items"]) || isLargeValue(fields["with"]))
    return { note: "The list is too large for a preview. Test the step to see its result." };
  return { fields };
}

function noteOf(error: unknown): string {
  if (error instanceof DataProblem) {
    const label = formFields("data").find(({ name }) => name === error.field)?.label ?? error.field;
    return `“${label}” ${error.message}.`;
  }
  if (error instanceof DataTooLarge) return "The result is too large for a preview.";
  throw error;
}

function countOf(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}
