import { parseArgs } from "node:util";
import { searchTypes } from "../../contract/search.ts";
import { createSearch } from "../../server/search/search.ts";
import { createSearchStore } from "../../server/search/search.sql.ts";
import { createWorkflowIndex } from "../../server/search/workflow-index.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { OWNER, seed, time } from "../stats/run.ts";
import { withEmptyDatabase } from "../stats/empty-database.ts";

const DAYS = 30;
const NOUNS = [
  "Invoice",
  "Customer",
  "Order",
  "Report",
  "Ticket",
  "請求書",
  "Übersicht",
  "Payment",
  "Lead",
  "Contract",
];
const VERBS = ["sync", "import", "check", "notify", "archive", "enrich", "score", "export", "merge", "route"];

/**
 * `npm run bench:search [-- --tasks 1000000 --workflows 10000 --postgres]`: fills one workspace and prints how long each
 * search takes, and the longest time for which it kept the event loop busy. Passages of documents are not included.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tasks: { type: "string", default: "1000000" },
      workflows: { type: "string", default: "10000" },
      postgres: { type: "boolean", default: false },
    },
  });
  await withEmptyDatabase(values, async (db) => {
    await seed(db, Number(values.tasks), DAYS, Number(values.workflows));
    await nameWorkflows(db);
    if (values.postgres) await db.batch(["task", "workflow"].map((table) => ({ sql: `analyze ${table}` })));
    await measure(db);
  });
}

/** Twelve steps of about 300 characters each: graphs that do not fit into a page of the database. */
async function nameWorkflows(db: Db): Promise<void> {
  const rows = await db.query<{ id: string }>("select id from workflow");
  for (let from = 0; from < rows.length; from += 200)
    await db.batch(
      rows.slice(from, from + 200).map(({ id }, offset) => {
        const index = from + offset;
        const steps = Array.from({ length: 12 }, (_, step) => ({
          stepId: `${VERBS[(index + step) % 10]}_${step}`,
          type: "transform",
          template: "x".repeat(250),
        }));
        return {
          sql: "update workflow set name = $name, folder = $folder, tags = $tags, graph = $graph, updated_at = 1 where id = $id",
          params: {
            id,
            name: `${NOUNS[index % 10]} ${VERBS[Math.floor(index / 10) % 10]} ${index}`,
            folder: `Team ${index % 50}`,
            tags: JSON.stringify([`tag${index % 20}`]),
            graph: JSON.stringify({ steps, edges: [] }),
          },
        };
      }),
    );
}

async function measure(db: Db): Promise<void> {
  const index = createWorkflowIndex(db);
  const began = performance.now();
  while ((await index.refreshAny(200)) > 0);
  console.log(`index of all workflows: ${Math.round(performance.now() - began)} ms\n`);
  const search = createSearch({
    store: createSearchStore(db),
    index,
    findPassages: () => Promise.resolve([]),
  });
  const [run] = await db.query<{ id: string }>("select id from task order by id desc limit 1");
  console.log(
    `| ${db.dialect} | first ms | p50 ms | p95 ms | CPU ms | longest turn ms |\n|---|---|---|---|---|---|`,
  );
  const queries = [
    "inv",
    "invoice 4210",
    "inovice",
    "請求",
    "merge_7",
    "failed with 503",
    "no such thing",
    run!.id.slice(-6),
  ];
  for (const q of queries) await time(q, () => search(OWNER, { q, types: searchTypes, limit: 20 }));
}
