import { expect, test } from "vitest";
import { useDatabase } from "../support/postgres.ts";
import { insert, open, openWithItems } from "./item-table.ts";

test("when notifications do not arrive, a warning is logged and listeners poll", async () => {
  const { url } = await openWithItems();
  const otherDatabase = await useDatabase();
  let warn: (message: string) => void = () => undefined;
  const warning = new Promise<string>((resolve) => (warn = resolve));
  const db = await open(url, {
    directUrl: otherDatabase,
    echoTimeoutMs: 200,
    onProblem: (message) => warn(message),
  });
  let polls = 0;
  const polled = new Promise<void>((resolve) => {
    void db.listen("news", (payload) => payload === "" && ++polls === 2 && resolve());
  });
  expect(await warning).toContain("DATABASE_DIRECT_URL");
  await polled;
});

test("repeated payloads are sent once or twice, and one that is too long is sent empty", async () => {
  const { db } = await openWithItems();
  const received: string[] = [];
  let onReceived: () => void = () => undefined;
  await db.listen("news", (payload) => {
    received.push(payload);
    onReceived();
  });
  for (let n = 0; n < 20; n += 1) {
    db.notify("news", "same");
    await db.batch([insert(`i${n}`)]);
  }
  db.notify("news", "x".repeat(8000));
  db.notify("news", "last");
  while (!received.includes("last")) await new Promise<void>((resolve) => (onReceived = resolve));
  expect(received).toContain("");
  expect(received.filter((payload) => payload === "same").length).toBeLessThan(10);
});
