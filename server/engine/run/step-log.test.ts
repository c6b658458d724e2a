import { describe, expect, test } from "vitest";
import {
  MAX_LOG_BYTES,
  MAX_LOG_LINES,
  MAX_LOG_MESSAGE_CHARACTERS,
} from "../../../contract/step-log-limits.ts";
import { createStepLog } from "./step-log.ts";

const AT = Date.UTC(2026, 0, 1);

describe("the log of an attempt", () => {
  test("keeps lines with their time and level", () => {
    const log = createStepLog((text) => text);
    log.write(AT, "info", "one");
    log.end(AT);
    expect(log.lines).toEqual([{ at: "2026-01-01T00:00:00.000Z", level: "info", message: "one" }]);
  });

  test("keeps 200 lines, and a last one tells how many were left out", () => {
    const log = createStepLog((text) => text);
    for (let i = 0; i < MAX_LOG_LINES + 2; i++) log.write(AT, "debug", `${i}`);
    expect(log.lines).toHaveLength(MAX_LOG_LINES);
    log.end(AT);
    expect(log.lines).toHaveLength(MAX_LOG_LINES + 1);
    expect(log.lines.at(-1)).toMatchObject({
      level: "warn",
      message: expect.stringMatching(/^2 more lines/),
    });
  });

  test("keeps 64 KiB, and no line after the first that did not fit", () => {
    const log = createStepLog((text) => text);
    for (let i = 0; i < 20; i++) log.write(AT, "info", "é".repeat(3000));
    expect(log.write(AT, "info", "short")).toBeUndefined();
    expect(log.bytes).toBeLessThanOrEqual(MAX_LOG_BYTES);
    expect(log.lines).toHaveLength(10);
  });

  test("cuts a long message after its secrets are redacted", () => {
    const log = createStepLog((text) => text.replaceAll("hunter2", "•••"));
    const line = log.write(AT, "info", `${"x".repeat(MAX_LOG_MESSAGE_CHARACTERS - 4)}hunter2 more`);
    expect(line?.message).toBe(`${"x".repeat(MAX_LOG_MESSAGE_CHARACTERS - 4)}••• …`);
    const pair = log.write(AT, "info", `${"x".repeat(MAX_LOG_MESSAGE_CHARACTERS - 1)}😀`);
    expect(pair?.message).toBe(`${"x".repeat(MAX_LOG_MESSAGE_CHARACTERS - 1)}…`);
  });

  test("takes no line after the attempt has ended", () => {
    const log = createStepLog((text) => text);
    log.write(AT, "info", "one");
    log.end(AT);
    expect(log.write(AT, "info", "late")).toBeUndefined();
    expect(log.lines).toHaveLength(1);
  });
});
