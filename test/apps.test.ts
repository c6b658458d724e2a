import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

test("apps are listed with actions and triggers, and each has its fields and samples", async () => {
  const { apps } = (await alice.get("/api/apps")).body;
  const slack = apps.find(({ id }: { id: string }) => id === "slack");
  expect(slack).toMatchObject({ title: "Slack", connected: false, auth: ["oauth2", "bearer"] });
  expect(slack.actions).toContainEqual(expect.objectContaining({ id: "send_message", writes: true }));
  expect(slack.actions).toContainEqual(expect.objectContaining({ id: "list_messages", writes: false }));
  expect(slack.triggers).toContainEqual(expect.objectContaining({ id: "new_message", kind: "polling" }));

  const { app } = (await alice.get("/api/apps/slack")).body;
  const action = (id: string) => app.actions.find((one: { id: string }) => one.id === id);
  expect(action("send_message").input.channel).toMatchObject({
    type: "string",
    required: true,
    options: "channels",
  });
  expect(action("list_messages")).toMatchObject({
    input: { limit: { maximum: 1000 } },
    sample: [{ type: "message" }],
  });
  expect(app.auth[0]).toMatchObject({ kind: "oauth2", scopes: expect.arrayContaining(["chat:write"]) });

  const missing = await alice.get("/api/apps/none");
  expect([missing.status, missing.body.error]).toEqual([404, "app_not_found"]);
});
