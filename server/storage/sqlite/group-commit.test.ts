import { expect, test } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

function recorded() {
  const log: string[] = [];
  const run = (sql: string): [] => {
    log.push(sql);
    return [];
  };
  const commits = createGroupCommit({
    run,
    write: ({ sql }) => run(sql),
    sync: () => Promise.resolve(void log.push("sync")),
  });
  return { log, commits };
}

test("batches of one turn share a transaction and a sync", async () => {
  const { log, commits } = recorded();
  await Promise.all([commits.submit([{ sql: "one" }]), commits.submit([{ sql: "two" }])]);
  expect(log).toEqual(["begin immediate", "one", "two", "commit", "sync"]);
});

// The queue becomes idle some microtasks after it has resolved; a batch added in that moment was once lost.
test.each(Array.from({ length: 12 }, (_, hops) => hops))(
  "a batch that arrives %i microtasks after the previous one is committed",
  async (hops) => {
    const { log, commits } = recorded();
    await commits.submit([{ sql: "first" }]);
    for (let i = 0; i < hops; i++) await Promise.resolve();
    await commits.submit([{ sql: "second" }]);
    expect(log).toContain("second");
  },
  5_000,
);

test("idle waits for the batch in flight", async () => {
  const { log, commits } = recorded();
  const written = commits.submit([{ sql: "one" }]);
  await commits.idle();
  expect(log).toContain("sync");
  await written;
});
