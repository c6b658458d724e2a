import type { Node, NodeProps } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { NOTE_WIDTH } from "../../flow/notes.ts";
import { useCanvasActions } from "./canvas-actions.ts";

export type NoteFlowNode = Node<{ noteId: string; text: string; width?: number }, "note">;

/** A sticky note: its first line is the title. A double click or Enter edits it. */
export const NoteNode = memo(function NoteNode({ data, selected }: NodeProps<NoteFlowNode>) {
  const actions = useCanvasActions();
  const isEditing = actions?.editing?.kind === "note" && actions.editing.id === data.noteId;
  const [title = "", ...rest] = data.text.split("\n");
  return (
    <div
      className={selected ? "note sel" : "note"}
      style={{ width: data.width ?? NOTE_WIDTH }}
      onDoubleClick={(event) => {
        event.stopPropagation();
        actions?.edit({ kind: "note", id: data.noteId });
      }}
    >
      {isEditing ? (
        <NoteEditor
          text={data.text}
          onChange={(text) => actions.writeNote(data.noteId, text)}
          onDone={() => actions.edit(undefined)}
        />
      ) : (
        <>
          <b>{title === "" ? "Empty note" : title}</b>
          {rest.length > 0 && <p>{rest.join("\n")}</p>}
        </>
      )}
    </div>
  );
});

function NoteEditor({
  text,
  onChange,
  onDone,
}: {
  text: string;
  onChange: (text: string) => void;
  onDone: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <textarea
      ref={field}
      className="nodrag nopan nowheel"
      aria-label="Note"
      rows={Math.max(3, text.split("\n").length + 1)}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onDone}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    />
  );
}
