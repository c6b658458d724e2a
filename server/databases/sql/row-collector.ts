import { once } from "node:events";
import { PassThrough } from "node:stream";
import { createMeasure } from "../../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { StepCall } from "../../engine/run/step-runner.ts";
import { serialize } from "../../lib/serialize-json.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Row, RowSink } from "./sql-driver.ts";

const LARGE_BYTES = 1024 * 1024;

export interface Collected {
  rows: Row[];
  truncated: boolean;
}

/** Rows in memory, by statement, within a number of rows each and a number of bytes together. */
export function createRowCollector(
  call: Pick<StepCall, "holdLargeValue" | "signal">,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
) {
  const results = new Map<number, Collected>();
  const measure = createMeasure();
  let bytes = 0;
  let holds = false;
  const of = (statement: number): Collected => results.get(statement) ?? { rows: [], truncated: false };
  const sink: RowSink = async (statement, rows) => {
    const collected = of(statement);
    results.set(statement, collected);
    for (const row of rows) {
      if (collected.rows.length >= maxRows) {
        collected.truncated = true;
        return false;
      }
      bytes += measure(row, maxBytes > 0 ? maxBytes - bytes : Number.POSITIVE_INFINITY);
      if (maxBytes > 0 && bytes > maxBytes)
        throw outputTooLarge(
          "value_bytes",
          `The rows take more than ${maxBytes} bytes. Select fewer columns or rows, or use as: file.`,
        );
      collected.rows.push(row);
    }
    if (!holds && bytes > LARGE_BYTES) {
      holds = true;
      await call.holdLargeValue(call.signal);
    }
    return true;
  };
  return { sink, of };
}

/** Rows as lines of JSON in a stream. The reader's speed is the speed of the query. */
export function createRowStream(maxRows: number) {
  const stream = new PassThrough();
  let rowCount = 0;
  let truncated = false;
  const sink: RowSink = async (_statement, rows) => {
    const wanted = rows.slice(0, maxRows - rowCount);
    truncated ||= wanted.length < rows.length;
    rowCount += wanted.length;
    let lines = "";
    for (const row of wanted) {
      const text = serialize(row);
      lines += `${typeof text === "string" ? text : await text}\n`;
    }
    if (stream.destroyed) return false;
    if (lines !== "" && !stream.write(lines))
      await Promise.race([once(stream, "drain"), once(stream, "close")]);
    return !truncated && !stream.destroyed;
  };
  const summary = (): Record<string, JsonValue> => ({ rowCount, truncated });
  return { sink, stream, summary };
}
