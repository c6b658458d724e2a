import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { systemClock } from "../lib/clock.ts";
import { createN8nImport } from "../n8n-import/import-n8n.ts";
import { createDraftStore, type DraftRecord, dropUnusedSnapshots } from "./draft.sql.ts";
import { createDrafts } from "./drafts.ts";
import type { WorkflowRecord } from "./workflow-rows.sql.ts";
import { createWorkflowStore } from "./workflow.sql.ts";
import { toVersionRecord } from "./versions.ts";
import { createWorkflows } from "./workflows.ts";

const live: WorkflowRecord = {
  id: "wf_1",
  ownerId: "user_1",
  name: "Report",
  description: "",
  version: 1,
  metadata: { steps: [{ stepId: "a", type: "transform", template: "live" }], edges: [] },
  apiSettings: { enabled: false, endpointName: null, authentication: true, sync: true },
  active: true,
  folder: "",
  tags: [],
  createdAt: 1,
  updatedAt: 1,
};

function draft(revision: number, name: string): DraftRecord {
  const { description, metadata } = live;
  return {
    workflowId: live.id,
    baseVersion: 1,
    name,
    description,
    metadata,
    revision,
    updatedAt: 2,
    updatedBy: "user_1",
  };
}

async function openStores() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user_1', '', 'personal', 0)" },
  ]);
  const [workflows, drafts] = [createWorkflowStore(db), createDraftStore(db)];
  await workflows.insert(live, [toVersionRecord(live, "", "user_1")]);
  return { db, workflows, drafts };
}

test("publishing a revision that was saved over since changes nothing", async () => {
  const { workflows, drafts } = await openStores();
  expect(await drafts.save(draft(1, "First"), true)).toBe(true);
  expect(await drafts.save(draft(2, "Second"), true)).toBe(true);

  const publish = (name: string, revision: number) => {
    const next = { ...live, name, version: 2, updatedAt: 3 };
    return workflows.update(next, live.updatedAt, toVersionRecord(next, "", "user_1"), revision);
  };
  expect(await publish("First", 1)).toBe("outdated");
  expect(await workflows.get(live.id, live.ownerId)).toMatchObject({ name: "Report", version: 1 });
  expect((await drafts.find(live.id)).draft).toMatchObject({ name: "Second" });

  expect(await publish("Second", 2)).toBe("stored");
  expect(await workflows.get(live.id, live.ownerId)).toMatchObject({ name: "Second", version: 2 });
  expect((await drafts.find(live.id)).draft).toBeUndefined();
});

test("a copy and an import whose draft cannot be stored leave no workflow", async () => {
  const { db, workflows: store, drafts: draftStore } = await openStores();
  await draftStore.save(draft(1, "First"), true);
  const deps = { clock: systemClock, maxSteps: 100 };
  const workflows = createWorkflows({ ...deps, store });
  const drafts = createDrafts({ ...deps, workflows: store, drafts: draftStore, cloneLive: workflows.clone });
  const imports = createN8nImport({ workflows, drafts, maxSteps: 100 });
  const file = { nodes: [{ name: "Start", type: "n8n-nodes-base.noOp" }] };
  const request = { workflow: file, save: true, connections: {}, checked: [] };
  const createBoth = () =>
    Promise.allSettled([
      drafts.clone(live.ownerId, live.id, live.ownerId),
      imports.create(live.ownerId, request, live.ownerId),
    ]);
  const countWorkflows = async () =>
    (await workflows.listSummaries(live.ownerId, { limit: 10 })).items.length;

  await db.batch([{ sql: "alter table workflow_draft rename column updated_by to author" }]);
  expect((await createBoth()).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await countWorkflows()).toBe(1);

  await db.batch([{ sql: "alter table workflow_draft rename column author to updated_by" }]);
  expect((await createBoth()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await countWorkflows()).toBe(3);
});

test("a snapshot that is stored again is young again, and published versions are never dropped", async () => {
  const { db, drafts } = await openStores();
  const first = draft(1, "First");
  await drafts.storeSnapshot(first, 10);
  await drafts.storeSnapshot(first, 50);
  expect(await dropUnusedSnapshots(db, 20, 100)).toBe(0);
  expect(await dropUnusedSnapshots(db, 60, 100)).toBe(1);
  expect(await db.query("select version from workflow_version")).toEqual([{ version: 1 }]);
});
