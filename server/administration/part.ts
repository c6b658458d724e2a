import { randomUUID } from "node:crypto";
import type { Part, Platform } from "../platform/part.ts";
import { administrationRoutes } from "./administration.routes.ts";
import { createWorkspaceRuleStore } from "./workspace-rules.sql.ts";

const CHANNEL = "workspace_rules";

export interface AdministrationPart extends Part {
  /** Days that workspaces keep their tasks and sessions, of those with a retention of their own. */
  workspaceRetention(): Promise<ReadonlyMap<string, number>>;
}

/** What the administrator of the instance decides about its workspaces. */
export async function createAdministrationPart({
  db,
  limits,
  report,
}: Platform): Promise<AdministrationPart> {
  const store = createWorkspaceRuleStore(db);
  const readLimits = async (): Promise<void> => limits.setWorkspaceLimits(await store.listLimits());
  const stopListening = await db.listen(CHANNEL, () => {
    readLimits().catch((error: unknown) => report(error, "reading the limits of workspaces"));
  });
  await readLimits();
  return {
    workspaceRetention: store.listRetention,
    routes: (http) =>
      administrationRoutes(http, {
        rules: {
          get: store.get,
          async change(workspaceId, { limits: newLimits, retentionDays }) {
            const old = await store.get(workspaceId);
            const rules = {
              limits: newLimits ?? old.limits,
              retentionDays: retentionDays === undefined ? old.retentionDays : retentionDays,
            };
            await store.set(workspaceId, rules);
            await readLimits();
            // Every message is unique: the database drops a repeated one.
            db.notify(CHANNEL, randomUUID());
            return rules;
          },
        },
      }),
    close: () => stopListening(),
  };
}
