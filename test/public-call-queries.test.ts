import { expect, test } from "vitest";
import { bearer, createKey, publish } from "./support/endpoints.ts";
import { useTestApp, registerUser } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

/** PostgreSQL: what the notifier sends, on its own connection, for calls before this one. */
const NOTIFICATION = /pg_notify|set_config\('synchronous_commit'/;

/** The texts of the SQL statements that `work` runs. The drivers look each one up in a cache, a Map. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  // oxlint-disable-next-line unbound-method
  const { get } = Map.prototype;
  const seen: string[] = [];
  Reflect.set(Map.prototype, "get", function (this: Map<unknown, unknown>, key: unknown): unknown {
    if (
      typeof key === "string" &&
      /^\s*(with|select|insert|copy|update|delete)\s/.test(key) &&
      !NOTIFICATION.test(key)
    )
      seen.push(key);
    return get.call(this, key);
  });
  try {
    await work();
  } finally {
    Reflect.set(Map.prototype, "get", get);
  }
  return seen;
}

/** What the same calls ran before there were workspaces: the endpoint with its key, the task, its journal. */
const BEFORE = { withKey: 3, withoutKey: 3 };

test("a public call runs as many statements as before workspaces, in a personal and in a team workspace", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const team = inWorkspace(ada, await createTeamWorkspace(ada));
  for (const owner of [ada, team]) {
    const locked = await publish(owner);
    const open = await publish(owner, { authentication: false });
    const { rawKey } = await createKey(owner);
    const call = async (id: string, headers = {}) => {
      const run = () => app.anonymous.post(`/api/workflows/public/${id}`, { a: 1 }, headers);
      // The first calls fill caches.
      for (let calls = 0; calls < 3; calls++) expect((await run()).status).toBe(200);
      // What runs every few seconds, such as storing the last use of a key, may fall into some of the calls, not into all.
      const counts: number[] = [];
      for (let calls = 0; calls < 3; calls++) counts.push((await statementsOf(run)).length);
      return Math.min(...counts);
    };
    const withKey = await call(locked.id, bearer(rawKey));
    const withoutKey = await call(open.id);
    expect({ withKey, withoutKey }).toEqual(BEFORE);
  }
});
