import { expect, test } from "vitest";
import type { Draft } from "./draft.ts";
import { addNote, removeNote, updateNote } from "./notes.ts";

const draft: Draft = { name: "", description: "", steps: [], edges: [] };

test("a note is added, written, moved and removed, and an empty list is not stored", () => {
  const first = addNote(draft, { x: 1.4, y: 2 });
  const second = addNote(first.draft, { x: 0, y: 0 });
  expect([first.id, second.id]).toEqual(["note-1", "note-2"]);
  const written = updateNote(second.draft, "note-1", { text: "Ask Lena" });
  expect(written.notes).toEqual([
    { id: "note-1", text: "Ask Lena", position: { x: 1, y: 2 } },
    { id: "note-2", text: "", position: { x: 0, y: 0 } },
  ]);
  const one = removeNote(written, "note-1");
  expect(addNote(one, { x: 0, y: 0 }).id).toBe("note-3");
  expect(removeNote(one, "note-2")).toEqual(draft);
});
