import { Play } from "lucide-react";
import { useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { parseJson } from "../../../ui/parse-json.ts";

interface RunDialogProps {
  workflowId: string;
  lastInput: unknown;
  onRun: (input: unknown) => void;
  onClose: () => void;
  title?: string;
}

/** Asks for the input of a run and remembers it per workflow. */
export function RunDialog({ workflowId, lastInput, onRun, onClose, title = "Run" }: RunDialogProps) {
  const key = `baton.input.${workflowId}`;
  const [text, setText] = useState(
    () => localStorage.getItem(key) ?? JSON.stringify(lastInput ?? {}, null, 2),
  );
  const read = parseJson(text);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (read.error !== undefined) return;
          localStorage.setItem(key, text);
          onClose();
          onRun(read.value);
        }}
      >
        <TextField
          label="Input (JSON)"
          mono
          rows={8}
          value={text}
          onChange={setText}
          error={read.error}
          hint="Steps read it as {{input}}. Use {} if the workflow needs no input."
        />
        <div className="actions">
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={read.error !== undefined}>
            <Play size={14} /> Run now
          </button>
        </div>
      </form>
    </Dialog>
  );
}
