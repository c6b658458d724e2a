import { describe, expect, test } from "vitest";
import { segmentsOf, spanOf, ticksOf, timeScale, type Timed } from "./timeline.ts";

const step = (startedAt: number | null, endedAt: number | null, isWaiting = false): Timed => ({
  startedAt,
  endedAt,
  isWaiting,
});

const linear = { breaks: [], breakMs: 1 };

describe("the time scale", () => {
  test("ends with the last step, and now while a step runs", () => {
    expect(timeScale(1000, [step(1000, 2000), step(3000, 5000)], 9000)).toMatchObject({
      start: 1000,
      end: 5000,
    });
    expect(timeScale(1000, [step(1000, 2000), step(3000, null)], 9000)).toMatchObject({
      start: 1000,
      end: 9000,
    });
  });

  test("a wait of days does not shrink the other bars", () => {
    const days = 3 * 24 * 3600 * 1000;
    const { end } = timeScale(0, [step(0, 100_000), step(100_000, null, true)], days);
    expect(end).toBe(300_000);
    expect(timeScale(0, [step(0, 10), step(10, null, true)], 30_000).end).toBe(30_000);
  });

  test("is broken where only an approval waited, so that the work around it stays visible", () => {
    const days = 3 * 24 * 3600 * 1000;
    const approval = { ...step(100, 100 + days), isWait: true };
    const scale = timeScale(0, [step(0, 100), approval, step(100 + days, 200 + days)], undefined);
    expect(scale.breaks).toEqual([{ from: 100, to: 100 + days }]);
    const [before, wait, after] = [
      spanOf(scale, 0, 100),
      spanOf(scale, 100, 100 + days),
      spanOf(scale, 100 + days, 200 + days),
    ];
    expect(before.width).toBeGreaterThan(40);
    expect(wait.width).toBeGreaterThan(5);
    expect(wait.width).toBeLessThan(20);
    expect(after.left + after.width).toBeCloseTo(100);
    expect(ticksOf(scale).every((tick) => tick <= 100)).toBe(true);
  });

  test("is not broken while another step works, by a short wait, or by the wait at its end", () => {
    const approval = { ...step(100, 90_000), isWait: true };
    expect(timeScale(0, [step(0, 100), approval, step(50, 80_000)], undefined).breaks).toEqual([]);
    expect(timeScale(0, [step(0, 100), { ...step(100, 5000), isWait: true }], undefined).breaks).toEqual([]);
    expect(timeScale(0, [step(0, 100), step(100, null, true)], 90_000).breaks).toEqual([]);
  });

  test("a run without started steps has a scale", () => {
    const scale = timeScale(5, [], 5);
    expect(scale.end).toBeGreaterThan(scale.start);
    expect(spanOf(scale, 5, 5).left + spanOf(scale, 5, 5).width).toBeLessThanOrEqual(100);
  });

  test("ticks are round and few", () => {
    expect(ticksOf({ start: 500, end: 48_500, ...linear })).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
    for (const total of [1, 17, 999, 61_000, 3_000_000, 90_000_000, 9_000_000_000])
      expect(ticksOf({ start: 0, end: total, ...linear }).length).toBeLessThanOrEqual(7);
  });
});

describe("the bar of a step", () => {
  const scale = { start: 0, end: 1000, ...linear };

  test("is one part from start to end; a skipped step has none", () => {
    expect(segmentsOf(scale, { status: "completed", startedAt: 100, endedAt: 300 }, [], false)).toEqual([
      { kind: "ok", left: 10, width: 20 },
    ]);
    expect(segmentsOf(scale, { status: "skipped", startedAt: null, endedAt: 300 }, [], false)).toEqual([]);
    expect(segmentsOf(scale, { status: "completed", startedAt: 0, endedAt: 500 }, [], true)).toEqual([
      { kind: "wait", left: 0, width: 50 },
    ]);
  });

  test("shows failed attempts and the pauses between them", () => {
    const attempts = [
      { status: "completed", startedAt: 400, endedAt: 500 },
      { status: "failed", startedAt: 0, endedAt: 100 },
    ] as const;
    const bar = { status: "completed", startedAt: 0, endedAt: 500 };
    expect(
      segmentsOf(scale, bar, attempts, false).map(({ kind, left, width }) => [kind, left, width]),
    ).toEqual([
      ["bad", 0, 10],
      ["gap", 10, 30],
      ["ok", 40, 10],
    ]);
    const waiting = segmentsOf(
      scale,
      { status: "waiting", startedAt: 0, endedAt: null },
      attempts.slice(1),
      false,
    );
    expect(waiting.map(({ kind, left, width }) => [kind, left, width])).toEqual([
      ["bad", 0, 10],
      ["gap", 10, 90],
    ]);
  });
});
