import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Db } from "../../storage/db.ts";
import type { TriggerSource } from "../source.ts";
import { createTriggerStore, type TriggerRecord } from "../trigger.sql.ts";

/** Users with a workflow each: `user_1` with `wf_1`, `user_2` with `wf_2`. */
export async function insertOwners(db: Db): Promise<void> {
  for (const n of [1, 2])
    await db.batch([
      {
        sql: `insert into workspace (id, name, kind, created_at) values ('user_${n}', '', 'personal', 0)`,
      },
      {
        sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
              values ('wf_${n}', 'user_${n}', 'w', '', 1, '{}', 0, 0, 0, 0, 0)`,
      },
    ]);
}

/** A feed that is checked every minute, due at 0. */
export const feedTrigger = {
  id: "trg_1",
  ownerId: "user_1",
  workflowId: "wf_1",
  kind: "rss",
  name: "",
  settings: { url: "https://feed.example/", intervalSeconds: 60, startWith: "all" },
  secrets: null,
  active: true,
  position: null,
  nextCheckAt: 0,
  lastCheckAt: null,
  lastItemAt: null,
  lastError: null,
  failures: 0,
  createdAt: 0,
  updatedAt: 0,
} satisfies TriggerRecord<"rss">;

export async function insertTrigger(db: Db, id: string, more: Partial<TriggerRecord> = {}): Promise<void> {
  await createTriggerStore(db).insert({ ...feedTrigger, id, ...more }, 0);
}

/** A source whose items are these keys, in this order. Its position is how many were taken. */
export function listSource(keys: readonly string[]): TriggerSource<"rss"> {
  const toItem = (key: string) => ({ key, title: key, input: { key } as Record<string, JsonValue> });
  return {
    check: ({ position }) =>
      Promise.resolve({
        items: keys.slice(Number(position ?? 0)).map(toItem),
        position: String(keys.length),
        hasMore: false,
      }),
    sample: () => Promise.resolve(keys.length === 0 ? undefined : toItem(keys.at(-1)!)),
  };
}
