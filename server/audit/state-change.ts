import { createHash } from "node:crypto";
import { canonicalJson } from "./chain.ts";
import type { RecordState } from "./record-state.sql.ts";

export interface StateChange {
  before: RecordState | null;
  after: RecordState | null;
}

/** Of the JSON of one state. A workflow may have a graph of a megabyte, whose text its versions keep. */
export const MAX_STATE_CHARACTERS = 32_768;

/** Of a changed record only the fields that differ; of a new or deleted one all fields. */
export function changedFields({ before, after }: StateChange): StateChange {
  if (before === null || after === null) return { before, after };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differs = [...names].filter(
    (name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null),
  );
  if (differs.length === 0) return { before: null, after: null };
  const only = (state: RecordState) =>
    Object.fromEntries(differs.filter((name) => name in state).map((name) => [name, state[name]]));
  return { before: only(before), after: only(after) };
}

/** Canonical JSON of bounded size: the largest fields are replaced by their length and hash. */
export function toStoredState(state: RecordState | null): string | null {
  if (state === null) return null;
  const fields = Object.entries(state).map(([name, value]) => ({
    name,
    value,
    characters: canonicalJson(value).length,
  }));
  let total = fields.reduce((sum, { name, characters }) => sum + name.length + characters + 4, 2);
  for (const field of fields.toSorted((a, b) => b.characters - a.characters)) {
    if (total <= MAX_STATE_CHARACTERS) break;
    const sha256 = createHash("sha256").update(canonicalJson(field.value)).digest("hex");
    field.value = { omitted: true, characters: field.characters, sha256 };
    total += canonicalJson(field.value).length - field.characters;
  }
  return canonicalJson(Object.fromEntries(fields.map(({ name, value }) => [name, value])));
}
