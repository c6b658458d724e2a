import { expect, test } from "vitest";
import { OpenRecords } from "./open-records.ts";

test("waits until at most as many results are open", async () => {
  const records = new OpenRecords();
  expect(records.downTo(0)).toBeUndefined();
  for (let count = 0; count < 3; count += 1) records.begin();
  const reached: string[] = [];
  const waiting = [
    records.downTo(0)!.then(() => reached.push("none")),
    records.downTo(1)!.then(() => reached.push("one")),
  ];
  expect(records.downTo(3)).toBeUndefined();
  records.end();
  await Promise.resolve();
  expect(reached).toEqual([]);
  records.end();
  await waiting[1];
  expect(reached).toEqual(["one"]);
  records.end();
  await waiting[0];
  expect(reached).toEqual(["one", "none"]);
});
