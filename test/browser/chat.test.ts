import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { withResolvers } from "../support/with-resolvers.ts";
import { checkScreen, useVisits } from "./support/visit.ts";
import { weigh } from "./support/weight.ts";

const visit = useVisits();
let chats = 0;

async function createChat(user: RegisteredUser, template: unknown, settings: object = {}): Promise<string> {
  const steps = [{ stepId: "answer", type: "transform", template }];
  const { body } = await user.post("/api/workflows", { name: "Support", metadata: { steps, edges: [] } });
  const slug = `help-${++chats}`;
  const trigger = {
    kind: "chat",
    workflowId: body.workflow.id,
    settings: { slug, title: "Acme support", ...settings },
  };
  expect((await user.post("/api/triggers", trigger)).status).toBe(201);
  return slug;
}

test("a visitor writes by keyboard, reads the answers, and finds them after a reload", async () => {
  const user = await visit.register();
  const answer = "You wrote **{{input.message}}**\n\n- first\n- second <img src=x onerror=alert(1)>";
  const slug = await createChat(user, answer, { greeting: "Hello. How can we help?", placeholder: "Ask us" });
  const page = await visit.open(`/chat/never-was`);
  await page.getByRole("heading", { name: "This chat is not available" }).waitFor();
  const weight = weigh(page);
  await page.goto(`${visit.base}/chat/${slug}`);
  await page.getByText("Hello. How can we help?").waitFor();
  expect(weight.total()).toBeLessThan(90_000);
  expect(await page.title()).toBe("Acme support");
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.type("Where is");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("my order?");
  await page.keyboard.press("Enter");
  await page.getByText("second <img src=x onerror=alert(1)>").waitFor();
  await checkScreen(page, "chat");
  await page.reload();
  await page.getByText("second <img src=x onerror=alert(1)>").waitFor();
  await page.getByRole("button", { name: "New conversation" }).click();
  await expect.poll(() => page.getByText("Where is").count()).toBe(0);
});

test("a message sent before the stored ones are read stays, and is shown once", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Received: {{input.message}}");
  const page = await visit.open(`/chat/never-was`);
  const [read, arrives] = [withResolvers(), withResolvers()];
  await page.route("**/conversations/*", async (route) => {
    const response = await route.fetch();
    read.resolve();
    await arrives.promise;
    await route.fulfill({ response });
  });
  await page.goto(`${visit.base}/chat/${slug}`);
  await read.promise;
  await page.getByRole("textbox", { name: "Message" }).fill("Early");
  await page.keyboard.press("Enter");
  await page.getByText("Received: Early").waitFor();
  const response = page.waitForResponse("**/conversations/*");
  arrives.resolve();
  await (await response).finished();
  await page.getByRole("textbox", { name: "Message" }).fill("Later");
  await page.keyboard.press("Enter");
  await page.getByText("Received: Later").waitFor();
  expect(await page.getByText("Received: Early").count()).toBe(1);
});

test("a message that could not be sent is sent again without a second run", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Received.");
  const page = await visit.open(`/chat/${slug}`, { width: 390, theme: "dark" });
  await page.getByRole("textbox", { name: "Message" }).fill("Hello?");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The service cannot be reached.").waitFor();
  await checkScreen(page, "chat-offline");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Received.").waitFor();
  expect((await user.get("/api/tasks")).body.tasks).toHaveLength(1);
});

test("a chat behind a login asks for it, and answers people who have signed in", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Welcome.", { access: "login" });
  const stranger = await visit.open(`/chat/${slug}`);
  await stranger.getByRole("link", { name: "Sign in" }).waitFor();
  const page = await visit.open(`/chat/${slug}`, { user });
  await page.getByRole("textbox", { name: "Message" }).fill("Hi");
  await page.keyboard.press("Enter");
  await page.getByText("Welcome.").waitFor();
});

test("a visitor reads that a chat is paused before writing a message", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Hello.");
  const { workflowId } = (await user.get("/api/triggers")).body.triggers[0];
  await user.patch(`/api/workflows/${workflowId}`, { active: false });
  const page = await visit.open(`/chat/${slug}`);
  await page.getByText("This chat is paused. Try again later.").waitFor();
  await user.patch(`/api/workflows/${workflowId}`, { active: true });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
});

/** Another web site with the chat in it. */
async function openSite(slug: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.setHeader(
      "content-security-policy",
      `default-src 'none'; script-src ${visit.base}; frame-src ${visit.base}`,
    );
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1><script src="${visit.base}/chat-widget.js" data-chat="${slug}" data-label="Ask us"></script></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the widget opens the chat in a site that may embed it, by keyboard, and Escape closes it", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Hello from the shop.");
  const site = await openSite(slug);
  const { triggers } = (await user.get("/api/triggers")).body;
  await user.patch(`/api/triggers/${triggers[0].id}`, { settings: { origins: [site] } });
  const page = await visit.newPage();
  await page.goto(site);
  const button = page.getByRole("button", { name: "Ask us" });
  await button.focus();
  await page.keyboard.press("Enter");
  const field = page.frameLocator("iframe").getByRole("textbox", { name: "Message" });
  await field.fill("Hi");
  await field.press("Enter");
  await page.frameLocator("iframe").getByText("Hello from the shop.").waitFor();
  expect(await button.getAttribute("aria-expanded")).toBe("true");
  await field.press("Escape");
  await expect.poll(() => button.getAttribute("aria-expanded")).toBe("false");
});

test("a site that is not on the list shows no chat", async () => {
  const user = await visit.register();
  const slug = await createChat(user, "Hello.", { origins: ["https://www.example.com"] });
  const page = await visit.newPage();
  await page.goto(await openSite(slug));
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.getByRole("button", { name: "Ask us" }).click();
  expect((await refused).type()).toBe("error");
});
