import { expect, test } from "vitest";
import { useDatabase } from "../support/postgres.ts";
import { insert, open, openWithItems } from "./item-table.ts";

test("where notifications do not arrive, that is told, and whoever listens looks for himself now and then", async () => {
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

test("the same words in a short time are said once or twice, and a payload that is too long as an empty one", async () => {
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
