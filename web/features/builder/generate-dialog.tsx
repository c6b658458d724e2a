import { Sparkles } from "lucide-react";
import { useState } from "react";
import type { Workflow } from "../../api/types.ts";
import { createWorkflow, type Generated, generateWorkflow, useWorkflowChange } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { ReadOnlyCanvas } from "../canvas/read-only-canvas.tsx";
import "./builder.css";

const EXAMPLE =
  "Fetch https://example.com/orders every time I run it, ask me for approval, then write the result to orders.json";

/** Words in, a graph to look at out. Nothing is saved before the person keeps it, and nothing ever runs by itself. */
export function GenerateDialog({
  onClose,
  onKept,
}: {
  onClose: () => void;
  onKept: (workflow: Workflow) => void;
}) {
  const [prompt, setPrompt] = useState("");
  const [preview, setPreview] = useState<Generated>();
  const generate = useWorkflowChange(generateWorkflow, setPreview);
  const keep = useWorkflowChange(
    ({ workflow }: Generated) => createWorkflow({ name: workflow.name, metadata: workflow.metadata }),
    (workflow) => {
      onClose();
      onKept(workflow);
    },
  );
  const error = generate.error ?? keep.error;
  return (
    <Dialog title="Describe it" onClose={onClose} wide>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          generate.mutate(prompt.trim() === "" ? EXAMPLE : prompt);
        }}
      >
        <TextField
          label="What should happen?"
          rows={3}
          value={prompt}
          onChange={setPrompt}
          placeholder={EXAMPLE}
        />
        {error !== null && <Failure error={error} />}
        <div className="actions">
          <button
            type="submit"
            className={preview === undefined ? "btn go" : "btn"}
            disabled={generate.isPending}
          >
            <Sparkles size={14} />{" "}
            {generate.isPending ? "Drawing …" : preview === undefined ? "Draw it" : "Draw it again"}
          </button>
        </div>
      </form>
      {preview !== undefined && (
        <>
          <div className="preview">
            <ReadOnlyCanvas
              key={JSON.stringify(preview.workflow.metadata)}
              graph={preview.workflow.metadata}
              label="Preview"
            />
          </div>
          {preview.warnings.length > 0 && (
            <p className="small muted">{preview.warnings.map(({ message }) => message).join(" ")}</p>
          )}
          <div className="actions">
            <span className="small muted grow">
              “{preview.workflow.name}” · drawn by{" "}
              {preview.generatedBy === "builtin" ? "the built-in planner" : preview.generatedBy}
            </span>
            <button
              type="button"
              className="btn go"
              disabled={keep.isPending}
              onClick={() => keep.mutate(preview)}
            >
              Keep it
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
