/**
 * Tests that take the most time: crashes of real processes at every point, random orders of actions, moves of whole
 * databases, every screen of the page and its rarer flows, releases and installations, the scores of answers from documents,
 * a second linter of the OpenAPI document, graphs of 10,000 steps, waits of many seconds, and what `npm test` runs on SQLite
 * only. `npm test` leaves them out so that it ends within fifteen minutes; `npm run test:slow` and the nightly checks run them.
 * `npx vitest run <file>` runs any of them.
 */
const SLOW_TESTS = {
  unit: [
    "eval/documents/compare-pdftotext.test.ts",
    "server/documents/answer/quality.test.ts",
    "server/engine/tests/{faults,waiting-loops}.test.ts",
    "server/models/embedding/local-embedding.test.ts",
    "test/audit-crash.test.ts",
    "test/chaos/{crash-points,postgres}.test.ts",
    "test/documents/{crash,event-loop,leases,process-faults,several-processes,transfer-crash}.test.ts",
    "test/fuzz/{requests,task-model}.test.ts",
    "test/{installation,large-graph,notification-mail,release}.test.ts",
    "test/openapi-spectral.test.ts",
    "test/operations/{backup,move}.test.ts",
    "test/processes/connection-refresh.test.ts",
    "test/storage/postgres-standby.test.ts",
    "test/teams/crash.test.ts",
  ],
  postgres: [
    "test/{account-deletion,account-invitations,admin-instance,admin-users,administrators,approval-links,approvers,audit,audit-secrets}.test.ts",
    "test/{chats,connection-oauth,key-access,notification-mail,notifications,oauth,openapi-apps,ownership,workspace-moves,workspace-records}.test.ts",
    "test/a2a/{push,team-agent,workflow-agent}.test.ts",
    "test/{schedules,triggers}.test.ts",
    "test/teams/{live-text,sessions,topologies}.test.ts",
    "test/documents/{collections,ingestion,transfers}.test.ts",
  ],
  browser: [
    "test/browser/{administration,apis,approvers,code-field,development,every-screen,folders,large-graphs,notifications,pictures,roles,transfers}.test.ts",
  ],
};

/** The files of a project in this run. `TEST_PART` is set by `npm test` and `npm run test:slow`. */
export function filesOf(
  project: keyof typeof SLOW_TESTS,
  { include, exclude = [] }: { include: string[]; exclude?: string[] },
): { include: string[]; exclude: string[] } {
  const slow = SLOW_TESTS[project];
  const ignored = [...exclude, "**/node_modules/**"];
  switch (process.env["TEST_PART"]) {
    case "quick":
      return { include, exclude: [...ignored, ...slow] };
    case "slow":
      return { include: slow, exclude: ignored };
    default:
      return { include, exclude: ignored };
  }
}
