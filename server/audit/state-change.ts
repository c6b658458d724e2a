import { createHash } from "node:crypto";
import { serializeInTurns } from "../lib/serialize-json.ts";
import { canonicalObject } from "./chain.ts";
import type { RecordState } from "./record-state.sql.ts";

export interface StateChange {
  before: RecordState | null;
  after: RecordState | null;
}

/** Per state, as JSON. A workflow may have a graph of a megabyte, whose text its versions keep. */
export const MAX_STATE_CHARACTERS = 32_768;

/** Only the fields that differ, if the record was changed; all fields, if it was created or deleted. */
export async function changedFields({ before, after }: StateChange): Promise<StateChange> {
  if (before === null || after === null) return { before, after };
  const differs: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!(await isSame(before[name] ?? null, after[name] ?? null))) differs.push(name);
  if (differs.length === 0) return { before: null, after: null };
  const only = (state: RecordState) =>
    Object.fromEntries(differs.filter((name) => name in state).map((name) => [name, state[name]]));
  return { before: only(before), after: only(after) };
}

/** Most fields are the same text at once, which takes a tenth of the time of sorting the keys of a large graph. */
async function isSame(a: unknown, b: unknown): Promise<boolean> {
  if ((await serializeInTurns(a)) === (await serializeInTurns(b))) return true;
  return (await canonicalJson(a)) === (await canonicalJson(b));
}

/** As in the hash of an event, for values of any size. */
function canonicalJson(value: unknown): Promise<string> {
  return serializeInTurns(value, { sortKeys: true, leaveOutNull: true });
}

/** Canonical JSON of bounded size: the largest fields are replaced by their length and hash. */
export async function toStoredState(state: RecordState | null): Promise<string | null> {
  if (state === null) return null;
  const fields: { name: string; text: string }[] = [];
  for (const [name, value] of Object.entries(state)) fields.push({ name, text: await canonicalJson(value) });
  let total = fields.reduce((sum, { name, text }) => sum + name.length + text.length + 4, 2);
  for (const field of fields.toSorted((a, b) => b.text.length - a.text.length)) {
    if (total <= MAX_STATE_CHARACTERS) break;
    const characters = field.text.length;
    const sha256 = createHash("sha256").update(field.text).digest("hex");
    field.text = await canonicalJson({ omitted: true, characters, sha256 });
    total += field.text.length - characters;
  }
  return canonicalObject(fields.filter(({ text }) => text !== "null").map(({ name, text }) => [name, text]));
}
