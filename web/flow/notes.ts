import type { Note } from "../../contract/graph.ts";
import type { Draft, Point } from "./draft.ts";

const PREFIX = "note:";
export const NOTE_WIDTH = 190;

/** The id of the node that shows a note. */
export function noteNodeId(noteId: string): string {
  return `${PREFIX}${noteId}`;
}

/** The note that a node shows; undefined for every other node. */
export function noteIdOf(nodeId: string): string | undefined {
  return nodeId.startsWith(PREFIX) ? nodeId.slice(PREFIX.length) : undefined;
}

/** A list without notes is not stored: most workflows have none. */
function withNotes({ notes: _before, ...draft }: Draft, notes: Note[]): Draft {
  return notes.length === 0 ? draft : { ...draft, notes };
}

export function addNote(draft: Draft, at: Point): { draft: Draft; id: string } {
  const notes = draft.notes ?? [];
  const taken = new Set(notes.map(({ id }) => id));
  let number = notes.length + 1;
  while (taken.has(`note-${number}`)) number += 1;
  const id = `note-${number}`;
  const position = { x: Math.round(at.x), y: Math.round(at.y) };
  return { draft: withNotes(draft, [...notes, { id, text: "", position }]), id };
}

export function updateNote(draft: Draft, id: string, change: Partial<Note>): Draft {
  return withNotes(
    draft,
    (draft.notes ?? []).map((note) => (note.id === id ? { ...note, ...change } : note)),
  );
}

export function removeNote(draft: Draft, id: string): Draft {
  return withNotes(
    draft,
    (draft.notes ?? []).filter((note) => note.id !== id),
  );
}
