import { TriangleAlert } from "lucide-react";
import { updateStep } from "../../../flow/draft.ts";
import { locate, nodeIdIn, nodeIds } from "../../../flow/scopes.ts";
import { Allowed } from "../../../ui/allowed.tsx";
import type { StepView } from "./step-view.ts";

/** What an import asks a person to look at in this step, until they say that it is right. */
export function ToCheck({ view: { data, draft, onOpenNode } }: { view: StepView }) {
  const { step, within, edit } = data;
  const note = step["toCheck"];
  if (typeof note !== "string" || note === "") return null;
  const open = nodeIds(draft).filter((id) => typeof locate(draft, id)?.step["toCheck"] === "string");
  const at = open.indexOf(nodeIdIn(within, step.stepId));
  const next = open.length > 1 ? open[(at + 1) % open.length] : undefined;
  return (
    <div className="notice wait to-check">
      <TriangleAlert size={15} aria-hidden />
      <div className="stack tight grow">
        <p>{note}</p>
        <Allowed to="saveDraft">
          <div className="row">
            <button
              type="button"
              className="btn tiny"
              onClick={() => {
                edit((now) => updateStep(now, step.stepId, { toCheck: undefined }));
                if (next !== undefined) onOpenNode(next);
              }}
            >
              Looks right
            </button>
            {next !== undefined && (
              <button type="button" className="link-button" onClick={() => onOpenNode(next)}>
                Next to check
              </button>
            )}
            <span className="grow" />
            <span className="xs">
              {at + 1} of {open.length}
            </span>
          </div>
        </Allowed>
      </div>
    </div>
  );
}
