import { expect, test } from "vitest";
import type { ControlCall } from "../run.ts";
import { delay } from "./delay.ts";

test("a time in milliseconds is due at a whole one, as it is stored", async () => {
  const call = {
    run: { deps: { clock: { now: () => 0 } } },
    memory: {},
    fields: { until: 1000.4 },
  } as unknown as ControlCall;
  expect(await delay(call)).toMatchObject({ kind: "waiting", due: 1000, begin: { due: 1000 } });
});
