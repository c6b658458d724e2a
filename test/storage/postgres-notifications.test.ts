import { expect, test } from "vitest";
import { useDatabase } from "../support/postgres.ts";
import { insert, open, openWithItems } from "./item-table.ts";

test("when notifications do not arrive, a warning is logged and listeners poll", async () => {
  const { url } = await openWithItems();
  const elsewhere = await useDatabase();
  let tell: (message: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => (tell = resolve));
  const db = await open(url, {
    directUrl: elsewhere,
    echoTimeoutMs: 200,
    onProblem: (message) => tell(message),
  });
  let looks = 0;
  const looked = new Promise<void>((resolve) => {
    void db.listen("news", (payload) => payload === "" && ++looks === 2 && resolve());
  });
  expect(await told).toContain("DATABASE_DIRECT_URL");
  await looked;
});

test("repeated payloads are sent once or twice, and one that is too long is sent empty", async () => {
  const { db } = await openWithItems();
  const heard: string[] = [];
  let hear: () => void = () => undefined;
  await db.listen("news", (payload) => {
    heard.push(payload);
    hear();
  });
  for (let n = 0; n < 20; n += 1) {
    db.notify("news", "same");
    await db.batch([insert(`i${n}`)]);
  }
  db.notify("news", "x".repeat(8000));
  db.notify("news", "last");
  while (!heard.includes("last")) await new Promise<void>((resolve) => (hear = resolve));
  expect(heard).toContain("");
  expect(heard.filter((payload) => payload === "same").length).toBeLessThan(10);
});
