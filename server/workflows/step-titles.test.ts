import { expect, onTestFinished, test } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { systemClock } from "../lib/clock.ts";
import type { Db } from "../storage/db.ts";
import { createRunnableWorkflows } from "./runnable-workflow.sql.ts";
import { createStepTitles } from "./step-titles.ts";
import { createWorkflowStore } from "./workflow.sql.ts";
import { createWorkflows } from "./workflows.ts";

test("a version is read once for all its steps", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertAccounts(db, ["user_1"]);
  const workflows = createWorkflows({ store: createWorkflowStore(db), clock: systemClock, maxSteps: 10 });
  const metadata = { steps: [{ stepId: "a", type: "transform", name: "Total", template: 1 }], edges: [] };
  const { workflow } = await workflows.create("user_1", { name: "Report", metadata }, "user_1");
  const queries: string[] = [];
  const query: Db["query"] = (sql, params) => {
    queries.push(sql);
    return db.query(sql, params);
  };
  const withStepTitles = createStepTitles(createRunnableWorkflows({ ...db, query }));
  const step = { workflowId: workflow.id, workflowVersion: 1, stepId: "a" };
  const titled = await withStepTitles(Array.from({ length: 100 }, () => step));
  expect(titled).toEqual(Array.from({ length: 100 }, () => ({ ...step, stepTitle: "Total" })));
  expect(queries).toHaveLength(2);
});
