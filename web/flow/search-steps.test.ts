import { expect, test } from "vitest";
import type { AppSummary } from "../../contract/apps.ts";
import { addables, searchSteps, suggestedTypes } from "./search-steps.ts";

const all = addables({ workflows: [{ id: "wf_1", name: "Send survey" }] });
const entries = (text: string, list = all) => searchSteps(list, text).map(({ entry }) => entry);

test.each([
  ["if", "condition"],
  ["loop", "foreach"],
  ["for", "foreach"],
  ["slack", "http"],
  ["api", "http"],
  ["sleep", "delay"],
  ["wait", "delay"],
  ["gpt", "llm"],
  ["pdf", "document_query"],
  ["case", "switch"],
  ["code", "code"],
  ["send mail", "email"],
  ["human", "approval"],
])("%j finds the %s step first", (text, type) => {
  expect(entries(text)[0]?.type).toBe(type);
});

test.each([
  ["rss", "rss"],
  ["feed", "rss"],
  ["atom", "rss"],
  ["imap", "email"],
  ["inbox", "email"],
  ["mailbox", "email"],
  ["chat", "chat"],
  ["widget", "chat"],
  ["cron", "schedule"],
  ["schedule", "schedule"],
  ["every", "schedule"],
  ["form", "form"],
  ["webhook", "webhook"],
  ["endpoint", "endpoint"],
])("%j finds the %s trigger first", (text, kind) => {
  expect(entries(text)[0]?.trigger).toBe(kind);
});

test("a word for a step and a trigger finds both, the step first", () => {
  const found = entries("mail");
  expect(found[0]?.type).toBe("email");
  expect(found.slice(0, 3).map(({ trigger }) => trigger)).toContain("email");
});

test("workflows are found by name and carry their id; the workflow itself is left out", () => {
  expect(entries("survey")).toMatchObject([{ type: "workflow", fields: { workflowId: "wf_1" } }]);
  const own = addables({ workflows: [{ id: "wf_1", name: "Send survey" }], own: "wf_1" });
  expect(entries("survey", own)).toEqual([]);
});

test("no step matches nonsense, and every step matches an empty search", () => {
  expect(searchSteps(all, "zzz")).toEqual([]);
  expect(searchSteps(all, " ")).toHaveLength(all.length);
});

test("a list suggests a loop first, whatever step made it", () => {
  expect(suggestedTypes({ stepId: "a", type: "llm" }, [1])[0]).toBe("foreach");
  expect(suggestedTypes({ stepId: "a", type: "llm" }, "text")).not.toContain("foreach");
  expect(suggestedTypes(undefined, undefined)[0]).toBe("http");
});

const operation = (id: string, title: string, synonyms: string[] = []) => ({
  id,
  title,
  description: `${title}.`,
  synonyms,
  writes: true,
});
const app = (id: string, title: string, actions: ReturnType<typeof operation>[]): AppSummary => ({
  id,
  title,
  description: `Work with ${title}.`,
  category: "other",
  synonyms: [],
  icon: { letters: title.slice(0, 2), color: "#123456" },
  documentation: "",
  isOwn: false,
  auth: ["bearer"],
  connected: false,
  triggers: [],
  actions,
});
const chat = app("chat", "Chatter", [
  operation("create_channel", "Create channel"),
  operation("send_message", "Send message", ["announce"]),
]);
const sheets = app("sheets", "Tables", [operation("add_row", "Add row")]);
const withApps = addables({
  workflows: [],
  apps: [chat, sheets],
  connections: [
    { id: "conn_0", name: "Old", app: "chat", status: "failing" },
    { id: "conn_1", name: "Team", app: "sheets", status: "connected" },
  ],
});

test("an app is found by what its actions do, with the action that does it first", () => {
  expect(searchSteps(withApps, "row")[0]).toMatchObject({ entry: { key: "app:sheets" } });
  const [found] = searchSteps(withApps, "announce");
  expect(found?.entry.key).toBe("app:chat");
  expect(found?.actions.map(({ title }) => title)).toEqual(["Send message"]);
  expect(searchSteps(withApps, "chatter send")[0]?.actions[0]?.title).toBe("Send message");
});

test("an app found by its name offers all of its actions", () => {
  expect(searchSteps(withApps, "chatter")[0]?.actions).toHaveLength(2);
});

test("apps with a working connection come first, and their steps use it", () => {
  const apps = withApps.filter(({ category }) => category === "apps");
  expect(apps.map(({ key }) => key)).toEqual(["app:sheets", "app:chat"]);
  expect(apps[0]?.app?.actions[0]?.fields).toEqual({
    app: "sheets",
    action: "add_row",
    name: "Add row",
    connection: "conn_1",
  });
  expect(apps[1]?.app?.actions[0]?.fields).not.toHaveProperty("connection");
});
