import { createHash } from "node:crypto";
import { canonicalJson, canonicalObject } from "./chain.ts";
import type { RecordState } from "./record-state.sql.ts";

export interface StateChange {
  before: RecordState | null;
  after: RecordState | null;
}

/** Per state, as JSON. A workflow may have a graph of a megabyte, whose text its versions keep. */
export const MAX_STATE_CHARACTERS = 32_768;

/** Only the fields that differ, if the record was changed; all fields, if it was created or deleted. */
export function changedFields({ before, after }: StateChange): StateChange {
  if (before === null || after === null) return { before, after };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differs = [...names].filter((name) => !isSame(before[name] ?? null, after[name] ?? null));
  if (differs.length === 0) return { before: null, after: null };
  const only = (state: RecordState) =>
    Object.fromEntries(differs.filter((name) => name in state).map((name) => [name, state[name]]));
  return { before: only(before), after: only(after) };
}

/** Most fields are the same text at once, which takes a tenth of the time of sorting the keys of a large graph. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);
}

/** Canonical JSON of bounded size: the largest fields are replaced by their length and hash. */
export function toStoredState(state: RecordState | null): string | null {
  if (state === null) return null;
  const fields = Object.entries(state).map(([name, value]) => ({ name, text: canonicalJson(value) }));
  let total = fields.reduce((sum, { name, text }) => sum + name.length + text.length + 4, 2);
  for (const field of fields.toSorted((a, b) => b.text.length - a.text.length)) {
    if (total <= MAX_STATE_CHARACTERS) break;
    const characters = field.text.length;
    const sha256 = createHash("sha256").update(field.text).digest("hex");
    field.text = canonicalJson({ omitted: true, characters, sha256 });
    total += field.text.length - characters;
  }
  return canonicalObject(fields.filter(({ text }) => text !== "null").map(({ name, text }) => [name, text]));
}
