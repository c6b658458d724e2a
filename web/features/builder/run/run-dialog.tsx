import { Play } from "lucide-react";
import type { InputSchema } from "../../../../contract/input/input-field.ts";
import { localValues } from "../../../api/browser-storage.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { InputEditor, useInputEditor } from "../../forms/input-editor.tsx";

interface RunDialogProps {
  workflowId: string;
  /** The input fields of the draft. */
  schema?: InputSchema | undefined;
  lastInput: unknown;
  /** Test runs of the draft use it. */
  pinnedInput?: unknown;
  onRun: (input: unknown) => void;
  onClose: () => void;
}

/** Asks for the input of a run, by the workflow's input fields or as JSON, and remembers it per workflow. */
export function RunDialog({ workflowId, schema, lastInput, pinnedInput, onRun, onClose }: RunDialogProps) {
  const key = `baton.input.${workflowId}`;
  const editor = useInputEditor(schema, pinnedInput ?? localValues.readJson(key) ?? lastInput);
  return (
    <Dialog title="Run" onClose={onClose}>
      <form
        className="stack"
        noValidate
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const read = editor.read();
          if (read === undefined) return;
          localValues.save(key, JSON.stringify(read.input, null, 2));
          onClose();
          onRun(read.input);
        }}
      >
        <InputEditor
          editor={editor}
          hint="Steps read it as {{input}}. Use {} if the workflow needs no input."
        />
        <div className="actions">
          {lastInput !== undefined && (
            <button type="button" className="btn ghost" onClick={() => editor.load(lastInput)}>
              Use input of the last run
            </button>
          )}
          <span className="grow" />
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="btn go"
            disabled={editor.mode === "json" && editor.jsonError !== undefined}
          >
            <Play size={14} /> Run now
          </button>
        </div>
      </form>
    </Dialog>
  );
}
