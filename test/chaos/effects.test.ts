import { expect, test } from "vitest";
import { explainByKills, explainEffects, unrecordedEffects } from "./effects.ts";
import { type HistoryEntry, historyOf } from "./history.ts";
import { explainByLosses, type Loss, type TimedFault } from "./losses.ts";

const entry = (seq: number, path: string, at: number, kind = "step"): HistoryEntry => ({
  taskId: "task",
  seq,
  kind,
  path,
  status: kind === "step" ? "completed" : "waiting",
  output: null,
  at,
});
const history = (...entries: HistoryEntry[]) => historyOf([], entries);
const effects = (entries: HistoryEntry[], ...times: number[]) =>
  unrecordedEffects(history(...entries), new Map([["task:a", times]]));

test("an effect for every recorded attempt is no duplicate", () => {
  expect(effects([entry(1, "a", 20, "attempt"), entry(2, "a", 40)], 10, 30)).toEqual([]);
});

test("an effect before the recorded one is a duplicate, as is one after the record", () => {
  expect(effects([entry(1, "a", 40)], 10, 30, 500)).toMatchObject([
    { path: "a", arrivedAt: 10, againAt: 30, isAfterRecord: false },
    { path: "a", arrivedAt: 500, againAt: undefined, isAfterRecord: true },
  ]);
});

test("clocks may differ: one effect just after its record is no duplicate, two are", () => {
  expect(effects([entry(1, "a", 1000)], 1005)).toEqual([]);
  expect(effects([entry(1, "a", 1000)], 990, 1005)).toMatchObject([{ arrivedAt: 990, isAfterRecord: false }]);
});

test("a kill between the effect and its repetition explains it, any other kill does not", () => {
  const [repeated] = effects([entry(1, "a", 4000)], 1000, 3000);
  expect(explainByKills([{ from: 2000, until: 2010 }])(repeated!)).toBe("killed");
  expect(explainByKills([{ from: 500, until: 510 }])(repeated!)).toBeUndefined();
  expect(explainByKills([{ from: 3500, until: 3510 }])(repeated!)).toBeUndefined();
  const [late] = effects([entry(1, "a", 500)], 400, 1000);
  expect(explainByKills([{ from: 2000, until: 2010 }])(late!)).toBeUndefined();
});

const LEASE_MS = 3000;
const loss: Loss = { taskId: "task", at: 8000, owner: "all 1", silentMs: 3500 };
const fault = (kind: string, member: string | undefined, from: number, until = from): TimedFault => ({
  kind,
  member,
  from,
  until,
});
const [repeated] = effects([entry(1, "a", 20_000)], 4000, 9000);

test.each([
  ["its process was killed", "killed", [loss], [fault("kill", "all 1", 5000)]],
  ["its process was stopped past its lease", "taken over", [loss], [fault("stop", "all 1", 4500, 8500)]],
  ["its process did not get to run", "taken over", [loss], []],
  ["another process was killed", undefined, [{ ...loss, silentMs: 0 }], [fault("kill", "api 2", 5000)]],
  ["its process was killed before", undefined, [{ ...loss, silentMs: 0 }], [fault("kill", "all 1", 500)]],
  ["its own process released it", undefined, [{ ...loss, silentMs: 100 }], []],
  ["the database was down", undefined, [loss], [fault("outage", undefined, 4600, 7500)]],
  [
    "its process did not get to run for a lease after the database was back",
    "taken over",
    [{ ...loss, silentMs: 5500 }],
    [fault("outage", undefined, 2000, 4900)],
  ],
  [
    "the database was back for less than a lease",
    undefined,
    [{ ...loss, silentMs: 5500 }],
    [fault("outage", undefined, 2000, 5100)],
  ],
  ["nothing took the task from its process", undefined, [], [fault("kill", "all 1", 5000)]],
  ["it was taken over later", undefined, [{ ...loss, at: 9500 }], [fault("stop", "all 1", 4500, 9600)]],
] as const)("an effect that is repeated when %s: %s", (_name, expected, losses, faults) => {
  expect(explainByLosses(losses, faults, LEASE_MS)(repeated!)).toBe(expected);
});

test("a call sent before a suspension may arrive after it and after the record of a peer, within a second", () => {
  const late = (at: number) => effects([entry(1, "a", 8900)], 8800, at)[0]!;
  const explain = explainByLosses([loss], [fault("stop", "all 1", 4500, 9000)], LEASE_MS);
  expect(explain(late(9300))).toBe("in flight");
  expect(explain(late(11_000))).toBeUndefined();
});

test("effects are counted by their cause, and those without one are listed", () => {
  const found = effects([entry(1, "a", 4000)], 1000, 2000, 3000);
  const { explained, unexplained } = explainEffects(found, explainByKills([{ from: 1500, until: 1510 }]));
  expect(explained).toEqual({ killed: 1, "taken over": 0, "in flight": 0 });
  expect(unexplained).toEqual([
    "task: a executed at 2000, and again 1000 ms later: not recorded, and no crash explains it; arrivals 1000, 2000, 3000; records 4000",
  ]);
});
