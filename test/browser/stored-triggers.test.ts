import { expect, test } from "vitest";
import { openFeedServer } from "../support/feed-server.ts";
import { addTrigger, createGreeting, triggerNode, triggerPanel } from "./support/triggers.ts";
import { checkScreen, useVisits } from "./support/visit.ts";

const visit = useVisits({ TRIGGER_MIN_INTERVAL_SECONDS: "0" });

test("a feed is added, tested with a real item and pinned, and the draft runs with it", async () => {
  const user = await visit.register();
  const id = await createGreeting(user, {
    steps: [{ stepId: "greet", type: "transform", template: "News: {{input.title}}" }],
  });
  const feed = await openFeedServer("b", "a");
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Feed");
  const panel = triggerPanel(page);
  await panel.getByLabel("Feed URL").fill(feed.url);
  await panel.getByRole("button", { name: "Create feed trigger" }).click();
  await triggerNode(page, "rss").waitFor();
  await panel.getByRole("button", { name: "Fetch test event" }).click();
  await panel.getByText("Title of b").first().waitFor();
  expect((await user.get("/api/tasks")).body.tasks).toEqual([]);
  await panel.getByRole("button", { name: "Pin as test input" }).click();
  await checkScreen(page, "trigger-feed");
  await page.reload();
  await triggerNode(page, "rss").click();
  await panel.getByText("Test runs of the draft use the pinned input.").waitFor();
  await panel.getByRole("button", { name: "Run draft with this input" }).click();
  await expect.poll(async () => (await user.get("/api/tasks?status=completed")).body.tasks.length).toBe(1);
  const { tasks } = (await user.get("/api/tasks")).body;
  expect((await user.get(`/api/tasks/${tasks[0].id}`)).body.task.result.output).toBe("News: Title of b");
});

test("a feed that cannot be read says why, and its items are listed with their runs", async () => {
  const user = await visit.register();
  const id = await createGreeting(user);
  const feed = await openFeedServer("b", "a");
  const settings = { url: feed.url, intervalSeconds: 1, startWith: "all" };
  const { trigger } = (await user.post("/api/triggers", { kind: "rss", workflowId: id, settings })).body;
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "rss").click();
  const panel = triggerPanel(page);
  await panel.getByRole("tab", { name: "Recent items" }).click();
  await panel.getByRole("link", { name: "Open run of Title of a" }).waitFor();
  feed.answer = { status: 500 };
  await expect
    .poll(async () => (await user.get(`/api/triggers/${trigger.id}`)).body.trigger.lastError?.code)
    .toBe("http_error");
  await page.reload();
  await triggerNode(page, "rss").click();
  await panel.getByText("The feed answered with status 500.").waitFor();
  await panel.getByRole("switch", { name: "Active" }).click();
  await expect
    .poll(async () => (await user.get(`/api/triggers/${trigger.id}`)).body.trigger.active)
    .toBe(false);
});

test("a mailbox is added with its password, which is not shown again", async () => {
  const user = await visit.register();
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user, theme: "dark" });
  await addTrigger(page, "Mailbox");
  const panel = triggerPanel(page);
  await panel.getByLabel("IMAP server").fill("localhost");
  await panel.getByLabel("Port").fill("1");
  await panel.getByLabel("User").fill("ada@mail.example");
  await panel.getByLabel("Password").fill("hush-hush");
  await panel.getByRole("button", { name: "Create mailbox trigger" }).click();
  await triggerNode(page, "email").waitFor();
  expect(await panel.getByLabel("Password").inputValue()).toBe("");
  await panel.getByRole("button", { name: "Fetch test event" }).click();
  await panel.getByText("The connection to localhost:1 failed (ECONNREFUSED).").first().waitFor();
  await checkScreen(page, "trigger-mailbox");
});

test("a chat is added with an address to open and code to embed, and tested with a message", async () => {
  const user = await visit.register();
  const id = await createGreeting(user, {
    steps: [{ stepId: "greet", type: "transform", template: "You said {{input.message}}" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user, width: 1024 });
  await addTrigger(page, "Chat");
  const panel = triggerPanel(page);
  await panel.getByLabel("Name in URL").fill("desk");
  await panel.getByRole("button", { name: "Create chat" }).click();
  await triggerNode(page, "chat").waitFor();
  await panel
    .getByText(`<script src="${visit.base}/chat-widget.js" data-chat="desk" async></script>`)
    .waitFor();
  expect(await panel.getByRole("link", { name: `${visit.base}/chat/desk` }).getAttribute("href")).toBe(
    `${visit.base}/chat/desk`,
  );
  await panel.getByLabel("Test message").fill("Hi there");
  await panel.getByRole("button", { name: "Use this message" }).click();
  await panel.getByRole("button", { name: "Pin as test input" }).click();
  await checkScreen(page, "trigger-chat");
  await panel.getByRole("button", { name: "Close panel" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  expect(await page.getByRole("dialog").getByRole("textbox").inputValue()).toContain("Hi there");
});
