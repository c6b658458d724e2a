import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useVisits } from "./support/visit.ts";

const visit = useVisits();

/** As a service that restarts looks from the page, while the browser knows of no fault in the network. */
async function takeServiceAway(page: Page): Promise<() => void> {
  let isAway = true;
  await page.route("**/*", (route) => (isAway ? route.abort("connectionrefused") : route.continue()));
  return () => {
    isAway = false;
  };
}

const away = "The service cannot be reached.";

test("a screen that is opened while the service is away says so, and is there when the service is back", async () => {
  const page = await visit.open("/workflows", { user: await visit.register("patient") });
  await page.getByText("Start with a template").waitFor();
  const bringBack = await takeServiceAway(page);
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByRole("status").getByText(away).waitFor();
  expect(new URL(page.url()).pathname).toBe("/variables");
  bringBack();
  await page.getByText("No variables yet").waitFor();
  expect(await page.getByText(away).count()).toBe(0);
});

test("a list that could not be read is read by itself when the service is back", async () => {
  const user = await visit.register("reader");
  await user.put("/api/variables/shop", { value: "first" });
  const page = await visit.open("/variables", { user });
  await page.getByText("first").waitFor();
  const bringBack = await takeServiceAway(page);
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByRole("status").getByText(away).waitFor();
  await user.put("/api/variables/shop", { value: "second" });
  bringBack();
  await page.getByText("second").waitFor();
});

test("an edit that was made while the service restarted is saved when it is back", async () => {
  const user = await visit.register("editor");
  const { body } = await user.post("/api/workflows", {
    name: "Orders",
    metadata: { steps: [{ stepId: "greet", type: "transform", template: "Hello" }], edges: [] },
  });
  const page = await visit.open(`/workflows/${body.workflow.id}`, { user });
  await page.locator(".react-flow__node").click();
  const bringBack = await takeServiceAway(page);
  await page.getByLabel("Template (optional)").fill("Written meanwhile");
  await page.getByText("Unsaved draft").waitFor();
  bringBack();
  await page.getByText("v2 · saved").waitFor();
  const { workflow } = (await user.get(`/api/workflows/${body.workflow.id}`)).body;
  expect(workflow.metadata.steps[0].template).toBe("Written meanwhile");
});

test("a browser without any network works with a service on its own machine", async () => {
  const user = await visit.register("traveller");
  await user.put("/api/variables/shop", { value: "here" });
  const page = await visit.open("/workflows", { user });
  await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => false })");
  await page.goto(`${visit.base}/variables`);
  // The library that reads lists believes the event alone.
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByText("Start with a template").waitFor();
});
