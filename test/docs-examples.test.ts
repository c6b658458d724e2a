import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

// A block "json workflow" of a page is run, and the block "json output" after it is the output of the run.
const EXAMPLE = /```json workflow\n([^]*?)\n```\s+```json output\n([^]*?)\n```/g;
const FOLDER = "docs/build";

const examples = readdirSync(FOLDER).flatMap((page) =>
  [...readFileSync(`${FOLDER}/${page}`, "utf8").matchAll(EXAMPLE)].map(
    ([, workflow, output], index) => [`${page} ${index + 1}`, workflow!, output!] as const,
  ),
);

const { ada } = await shareApp(["ada"]);

/** In an example: a connection to an empty SQLite file. */
const SQLITE = "conn_sqlite";
let created = 0;
async function createConnection(): Promise<string> {
  const secrets = { url: `sqlite:example-${created++}.db` };
  return (await ada.post("/api/connections", { kind: "database", name: "Example", settings: {}, secrets }))
    .body.connection.id;
}

test("pages have examples", () => {
  expect(examples.length).toBeGreaterThan(5);
});

test.each(examples)("the example %s has the output that the page shows", async (name, workflow, output) => {
  const connection = workflow.includes(SQLITE) ? await createConnection() : "";
  const { steps, edges = [] } = JSON.parse(workflow.replaceAll(SQLITE, connection)) as {
    steps: object[];
    edges?: object[];
  };
  const saved = await ada.post("/api/workflows", { name, metadata: { steps, edges } });
  expect(saved.body).toMatchObject({ ok: true });
  const { body } = await ada.post(`/api/workflows/${saved.body.workflow.id}/run?wait=true`, { input: {} });
  const { task } = (await ada.get(`/api/tasks/${body.taskId}`)).body;
  expect(task.error).toBeNull();
  expect(task.result.output).toEqual(JSON.parse(output));
});
