import { expect, test } from "vitest";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

async function makeWorkflow(apiSettings: unknown = {}): Promise<string> {
  const { body } = await alice.post("/api/workflows", {
    name: "Old",
    metadata: chain("a", "b"),
    apiSettings,
  });
  return body.workflow.id;
}

let sources = 0;
const makers: Record<string, () => Promise<string>> = {
  webhook: async () => {
    const given = { name: "Old", source: `source-${++sources}`, workflowId: await makeWorkflow() };
    return (await alice.post("/api/webhooks", given)).body.webhook.id;
  },
  schedule: async () => {
    const given = { name: "Old", cron: "0 9 * * *", workflowId: await makeWorkflow() };
    return (await alice.post("/api/schedules", given)).body.schedule.id;
  },
};

test("a disabled endpoint stays disabled when other fields are saved concurrently", async () => {
  const path = `/api/workflows/${await makeWorkflow({ enabled: true })}`;
  const responses = await Promise.all([
    alice.patch(path, { apiSettings: { enabled: false } }),
    alice.patch(path, { name: "New" }),
    alice.patch(path, { apiSettings: { sync: false } }),
    alice.patch(path, { description: "Newer" }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await alice.get(path)).body.workflow).toMatchObject({
    name: "New",
    description: "Newer",
    version: 3,
    apiSettings: { enabled: false, sync: false },
  });
});

test("a concurrent change of settings does not fail a save based on the newest version", async () => {
  const path = `/api/workflows/${await makeWorkflow({ enabled: true })}`;
  const responses = await Promise.all([
    alice.patch(path, { apiSettings: { enabled: false } }),
    alice.patch(path, { name: "New", baseVersion: 1 }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect((await alice.get(path)).body.workflow).toMatchObject({
    name: "New",
    apiSettings: { enabled: false },
  });
});

test.each(Object.keys(makers))(
  "a disabled %s stays disabled when other fields are saved concurrently",
  async (noun) => {
    const path = `/api/${noun}s/${await makers[noun]!()}`;
    const rename = () => alice.patch(path, { name: "New" });
    const responses = await Promise.all([rename(), alice.patch(path, { active: false }), rename(), rename()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await alice.get(path)).body[noun]).toMatchObject({ name: "New", active: false });
  },
);
