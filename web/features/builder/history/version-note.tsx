import { Pencil } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { VersionHead } from "../../../api/types.ts";
import { setVersionNote, useWorkflowMutation } from "../../../api/workflows.ts";
import { Allowed } from "../../../ui/allowed.tsx";
import { Failure } from "../../../ui/states.tsx";

/** What a version is about, in the words of a person. It can be written long after publishing. */
export function VersionNote({ workflowId, entry }: { workflowId: string; entry: VersionHead }) {
  const [isEditing, setEditing] = useState<boolean>();
  const { version, note } = entry;
  if (isEditing === true)
    return <NoteForm workflowId={workflowId} entry={entry} onClose={() => setEditing(false)} />;
  return (
    <span className="version-note">
      <span className={note === "" ? "small muted" : ""}>{note === "" ? "No note" : note}</span>
      <Allowed to="updateVersion">
        <button
          type="button"
          className="btn ghost icon tiny"
          aria-label={`${note === "" ? "Add" : "Edit"} note: v${version}`}
          title={note === "" ? "Add note" : "Edit note"}
          // The form that has just closed took the focus.
          autoFocus={isEditing === false}
          onClick={() => setEditing(true)}
        >
          <Pencil size={13} />
        </button>
      </Allowed>
    </span>
  );
}

interface NoteFormProps {
  workflowId: string;
  entry: VersionHead;
  onClose: () => void;
}

function NoteForm({ workflowId, entry: { version, note }, onClose }: NoteFormProps) {
  const [text, setText] = useState(note);
  const save = useWorkflowMutation(() => setVersionNote(workflowId, version, text.trim()), onClose);
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(undefined);
  }
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  }
  return (
    <form className="stack tight" onSubmit={submit} onKeyDown={closeOnEscape}>
      <textarea
        className="in"
        rows={2}
        maxLength={500}
        aria-label={`Note of v${version}`}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      {save.error !== null && <Failure error={save.error} />}
      <div className="row">
        <button type="submit" className="btn tiny go" disabled={save.isPending}>
          Save note
        </button>
        <button type="button" className="btn tiny" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
