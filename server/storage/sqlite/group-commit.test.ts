import { expect, test } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

function recorded() {
  const log: string[] = [];
  const commits = createGroupCommit({
    run: (sql) => {
      log.push(sql);
      return [];
    },
    sync: () => Promise.resolve(void log.push("sync")),
  });
  return { log, commits };
}

test("batches of one turn share a transaction and a sync", async () => {
  const { log, commits } = recorded();
  await Promise.all([commits.submit([{ sql: "one" }]), commits.submit([{ sql: "two" }])]);
  expect(log).toEqual(["begin immediate", "one", "two", "commit", "sync"]);
});

// The queue goes idle some microtasks after it has answered; a batch of exactly that moment was once forgotten.
test.each(Array.from({ length: 12 }, (_, hops) => hops))(
  "a batch that comes %i microtasks after the one before is committed, too",
  async (hops) => {
    const { log, commits } = recorded();
    await commits.submit([{ sql: "first" }]);
    for (let i = 0; i < hops; i++) await Promise.resolve();
    await commits.submit([{ sql: "second" }]);
    expect(log).toContain("second");
  },
  5_000,
);

test("idle waits for what is under way", async () => {
  const { log, commits } = recorded();
  const written = commits.submit([{ sql: "one" }]);
  await commits.idle();
  expect(log).toContain("sync");
  await written;
});
