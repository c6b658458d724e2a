import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fillValue, openStep, valueField } from "./support/builder.ts";
import { useVisits, savedGraph, waitForSave } from "./support/visit.ts";

const visit = useVisits();

/** Refuses every request, as during a restart of the service; the browser still reports a network. */
async function stopService(page: Page): Promise<() => void> {
  let isDown = true;
  await page.route("**/*", (route) => (isDown ? route.abort("connectionrefused") : route.continue()));
  return () => {
    isDown = false;
  };
}

const offlineMessage = "The service cannot be reached.";

test("a screen that is opened while the service is offline says so and loads once it is back", async () => {
  const page = await visit.open("/workflows", { user: await visit.register("patient") });
  await page.getByText("Start with a template").waitFor();
  const startService = await stopService(page);
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByRole("status").getByText(offlineMessage).waitFor();
  expect(new URL(page.url()).pathname).toBe("/variables");
  startService();
  await page.getByText("No variables yet").waitFor();
  expect(await page.getByText(offlineMessage).count()).toBe(0);
});

test("a list that failed to load is refetched once the service is back", async () => {
  const user = await visit.register("reader");
  await user.put("/api/variables/shop", { value: "first" });
  const page = await visit.open("/variables", { user });
  await page.getByText("first").waitFor();
  const startService = await stopService(page);
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByRole("status").getByText(offlineMessage).waitFor();
  await user.put("/api/variables/shop", { value: "second" });
  startService();
  await page.getByText("second").waitFor();
});

test("an edit made while the service is offline is saved once it is back", async () => {
  const user = await visit.register("editor");
  const { body } = await user.post("/api/workflows", {
    name: "Orders",
    metadata: { steps: [{ stepId: "greet", type: "transform", template: "Hello" }], edges: [] },
  });
  const page = await visit.open(`/workflows/${body.workflow.id}`, { user });
  await openStep(page, "greet");
  const startService = await stopService(page);
  await fillValue(valueField(page, "Template"), "Edited offline");
  await page.getByText("Not saved, retrying").waitFor();
  startService();
  await waitForSave(page);
  expect((await savedGraph(user, body.workflow.id)).steps[0].template).toBe("Edited offline");
});

test("a browser without a network works with a service on the same machine", async () => {
  const user = await visit.register("traveller");
  await user.put("/api/variables/shop", { value: "here" });
  const page = await visit.open("/workflows", { user });
  await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => false })");
  await page.goto(`${visit.base}/variables`);
  // The query library reacts to this event only.
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByText("Start with a template").waitFor();
});
