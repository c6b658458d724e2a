import { invalidParams, type Params } from "./protocol.ts";

const PAGE_SIZE = 100;

export function cursorOf(params: Params): string | undefined {
  const { cursor } = params;
  if (cursor === undefined || typeof cursor === "string") return cursor;
  throw invalidParams("params.cursor must be a text.");
}

/** A page of a list whose names are unique; the cursor is the name of the last item before it. */
export function pageOf<T extends { name: string }>(
  all: readonly T[],
  params: Params,
): { items: readonly T[]; nextCursor?: string } {
  const after = cursorOf(params);
  const from = after === undefined ? 0 : all.findIndex(({ name }) => name === after) + 1;
  if (after !== undefined && from === 0)
    throw invalidParams("params.cursor is not a cursor of this list. Begin without one.");
  const items = all.slice(from, from + PAGE_SIZE);
  const last = items.at(-1);
  return { items, ...(last !== undefined && all.length > from + PAGE_SIZE && { nextCursor: last.name }) };
}
