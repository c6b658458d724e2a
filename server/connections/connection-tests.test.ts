import { expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { createConnectionTests, type ConnectionTestsDeps } from "./connection-tests.ts";

test("the credential is not in the name of the account", async () => {
  const deps = {
    connections: {
      build: () => Promise.resolve({ ownerId: "user_1", kind: "smtp", app: null, settings: {} }),
    },
    uses: { open: () => ({ secrets: () => ["hush-hush-1"] }) },
    testsByKind: { smtp: () => Promise.resolve({ account: "ada with hush-hush-1" }) },
    clock: systemClock,
  } as unknown as ConnectionTestsDeps;
  const tested = await createConnectionTests(deps).unsaved("user_1", {} as never);
  expect(tested).toMatchObject({ status: "connected", account: "ada with •••" });
});
