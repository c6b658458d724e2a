import { MIN_VALUE_SIZE } from "../../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { inTurns, type PartedWork } from "../../lib/in-turns.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Row, SqlJob } from "./sql-driver.ts";

/** A list or JSON with more characters is parsed in turns of the event loop: one of 36 MB would block it for 6 s. */
export const LARGE_CELL = 32 * 1024;

/** Throws when a cell has too many values. Each takes memory, and time while it is stored. */
export type CheckCount = (values: number) => void;

/** Text of a database that is not parsed yet, in place of its value in a row. */
export class LargeCell {
  readonly text: string;
  readonly parts: (text: string, checkCount: CheckCount) => PartedWork<JsonValue>;

  constructor(text: string, parts: LargeCell["parts"]) {
    this.text = text;
    this.parts = parts;
  }
}

/** Puts the values of large cells in their place. */
export async function parseLargeCells(
  rows: readonly Row[],
  { maxCellSize }: Pick<SqlJob, "maxCellSize">,
  signal: AbortSignal,
): Promise<void> {
  const checkCount = (values: number): void => {
    if (values * MIN_VALUE_SIZE > maxCellSize)
      throw outputTooLarge(
        "value_bytes",
        `A list or JSON of the database has more than ${Math.floor(maxCellSize / MIN_VALUE_SIZE)} values. Select less of it.`,
      );
  };
  for (const row of rows)
    for (const [name, cell] of Object.entries<JsonValue | LargeCell>(row))
      if (cell instanceof LargeCell) row[name] = await inTurns(cell.parts(cell.text, checkCount), signal);
}
