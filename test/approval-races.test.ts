import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { reach, save, start } from "../server/engine/testing/workbench.ts";
import { createDatabase } from "./support/postgres.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";
import { addTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

/** Holds every decision between its count and its commit: a lock that the deferred trigger waits for. */
const HOLD = [
  `create function hold_decision() returns trigger language plpgsql as
   $$ begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`,
  `create constraint trigger hold_decision after insert on approval_decision
   deferrable initially deferred for each row execute function hold_decision()`,
  "select pg_advisory_lock(4711)",
];

test("two approvals at the same moment, of two that are needed, end the wait", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const app = await useTestApp({ DATABASE_URL: url });
  const [ann, bob] = [await registerUser(app, "ann"), await registerUser(app, "bob")];
  const team = await addTeamWorkspace({ sql: (text) => query(text) }, [
    [ann, "admin"],
    [bob, "admin"],
  ]);
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  async function query(text: string) {
    const own = new Client({ connectionString: url });
    await own.connect();
    const { rows } = await own.query<Record<string, unknown>>(text).finally(() => own.end());
    return rows;
  }
  const people = [ann, bob].map((user) => inWorkspace(user, team));
  const step = {
    stepId: "ask",
    type: "approval",
    message: "Pay?",
    approvers: ["role:admin"],
    requiredApprovals: 2,
  };
  const taskId = await start(people[0]!, await save(people[0]!, [step]));
  await reach(people[0]!, taskId, "waiting_approval");

  for (const sql of HOLD) await client.query(sql);
  const decided = people.map((person) => person.post(`/api/tasks/${taskId}/resume`, { decision: "approve" }));
  // One waits for the lock of the trigger, the other for the same lock or for the row of the task.
  const waiting = async () =>
    Number((await query("select count(*) as n from pg_locks where not granted"))[0]?.["n"]);
  await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  await client.query("select pg_advisory_unlock(4711)");
  expect((await Promise.all(decided)).map(({ status }) => status)).toEqual([200, 200]);
  await reach(people[0]!, taskId, "completed");
});
