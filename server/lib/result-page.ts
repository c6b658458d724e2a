/** A part of a list and the cursor of the next part; null at the end. */
export interface ResultPage<T> {
  items: T[];
  nextCursor: string | null;
}

/** Stores fetch one row more than requested: when it exists, there is a next page. */
export function toResultPage<T>(rows: T[], limit: number, cursorOf: (item: T) => string): ResultPage<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
