import { MIN_VALUE_SIZE } from "../../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { inTurns, type PartedWork } from "../../lib/in-turns.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Row, SqlJob } from "./sql-driver.ts";

/** Throws when a cell has too many values. Each takes memory, and time while it is stored. */
export type CheckCount = (values: number) => void;

/** Calls `checkCount` with the number of values so far, before they are parsed. */
export type PartedParse = (checkCount: CheckCount) => PartedWork<JsonValue>;

/** A value that may be large as the database wrote it, in place of its value in a row. */
export class UnparsedCell {
  readonly parse: PartedParse;

  constructor(parse: PartedParse) {
    this.parse = parse;
  }
}

/**
 * Puts the values of lists and JSON in their place, in turns of the event loop: one cell of 36 MB would block it for 6 s,
 * and take 800 MB. So the values of one cell are limited, and those of all rows that are held together.
 */
export async function parseCells(
  rows: readonly Row[],
  job: Pick<SqlJob, "maxCellSize" | "maxHeldBytes">,
  signal: AbortSignal,
): Promise<void> {
  await inTurns(cellsInParts(rows, job), signal);
}

function* cellsInParts(
  rows: readonly Row[],
  { maxCellSize, maxHeldBytes }: Pick<SqlJob, "maxCellSize" | "maxHeldBytes">,
): PartedWork<void> {
  const mostInCell = Math.floor(maxCellSize / MIN_VALUE_SIZE);
  const mostInRows = Math.floor(Math.max(maxCellSize, maxHeldBytes) / MIN_VALUE_SIZE);
  let before = 0;
  for (const row of rows)
    for (const [name, cell] of Object.entries<JsonValue | UnparsedCell>(row)) {
      if (!(cell instanceof UnparsedCell)) continue;
      let within = 0;
      row[name] = yield* cell.parse((values) => {
        within = values;
        if (values > mostInCell) throw tooMany(`A list or JSON of the database has more than ${mostInCell}`);
        if (before + values > mostInRows)
          throw tooMany(`Lists and JSON of the database have more than ${mostInRows}`);
      });
      before += within;
      yield;
    }
}

function tooMany(fact: string): Error {
  return outputTooLarge("value_bytes", `${fact} values. Select less of it.`);
}
