import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { bundledWorkers } from "../support/bundled-workers-alias.ts";
import { compiledSources } from "../support/compiled-sources.ts";
import { filesOf } from "../support/slow-tests.ts";

/** Runs the service tests that reach every store on PostgreSQL instead of SQLite. */
export default defineConfig({
  resolve: { alias: [bundledWorkers] },
  plugins: [compiledSources()],
  test: {
    name: "postgres",
    root: fileURLToPath(new URL("../..", import.meta.url)),
    ...filesOf("postgres", {
      include: [
        "test/{account-deletion,run-files,oauth,approval-links,events,wait-events,run-settings,error-workflows,task-list,drafts,draft-runs,keys,key-access,service-accounts,variables,workflows,workflow-versions,templates,endpoint-settings,concurrent-changes,errors}.test.ts",
        "test/{public-calls,forms,input-schema,workflow-library,name-reservations,webhooks,webhook-calls,webhook-requests,webhook-signatures,schedules,ownership}.test.ts",
        "server/engine/tests/{approvals,optimistic-start,cancelling,delays,parent-ends,partial,races,rerun,retry-now,loop-items,runs,step-logs,wait-events,while,run-groups,run-timeout,item-errors}.test.ts",
        "test/documents/{collections,documents,intake,ingestion,questions,transfers}.test.ts",
        "test/a2a/{push,team-agent,workflow-agent}.test.ts",
        "test/teams/{live-text,sessions,session-ends,topologies}.test.ts",
        "server/{run-files/run-files,tasks/task-list,retention/retention,webhooks/delivery.sql,variables/vault,operations/admin/reseal}.test.ts",
        "server/oauth/{access-tokens,client-store}.test.ts",
        "server/{accounts/bearer-access,exposure/exposures,outbox/outbox,stats/stats,storage/engine/run-events,teams/external/remote-task-loop}.test.ts",
        "test/{triggers,chats,store,workspaces,workspace-transfers,workspace-moves,workspace-records,admin-users,admin-instance,account-invitations,administrators}.test.ts",
        "server/{store/key-value-store,steps/store}.test.ts",
        "{test/notifications,test/notification-mail,server/notifications/notification-writes}.test.ts",
        "server/triggers/{trigger-loop,trigger-crash,chat/exchange.sql}.test.ts",
        "server/apps/subscriptions.test.ts",
        "test/{connections,connection-oauth,connection-waits,openapi-apps}.test.ts",
        "server/connections/{connection-waits,oauth-tokens}.test.ts",
        "server/audit/audit-log.test.ts",
        "test/{audit,audit-secrets}.test.ts",
        "server/schedules/{schedule-claims,schedule-loop}.test.ts",
        "test/{workspace-sharing,approvers,administration,search,public-call-queries}.test.ts",
      ],
    }),
    env: { TEST_DATABASE: "postgres" },
    globalSetup: [
      "test/support/postgres-run.ts",
      "test/support/local-model.ts",
      "test/support/worker-bundles.ts",
    ],
    isolate: false,
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 8000 } },
  },
});
