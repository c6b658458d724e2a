import { expect, test } from "vitest";
import { useVisits } from "./support/visit.ts";

const visit = useVisits();

const oneStep = { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] };
const failing = {
  steps: [{ stepId: "a", type: "file", action: "read", path: "/not-there.txt" }],
  edges: [],
};

test("the list shows why a run failed, and workflow names are fetched without graphs", async () => {
  const user = await visit.register("lister");
  const { workflow } = (
    await user.post("/api/workflows", {
      name: "Read it",
      description: "Reads the list each morning",
      metadata: failing,
    })
  ).body;
  const { taskId } = (await user.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const { message } = (await user.get(`/api/tasks/${taskId}`)).body.task.error;
  const page = await visit.open("/documents", { user });
  const requested: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/workflows") requested.push(searchParams.get("graph") ?? "with graphs");
  });
  await page.getByRole("link", { name: "Runs" }).click();
  await page
    .getByRole("row", { name: /Read it/ })
    .getByText(message)
    .waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  const options = page.getByLabel("Workflow", { exact: true }).locator("option");
  await expect.poll(() => options.allTextContents()).toEqual(["All", "Read it"]);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByLabel("Search workflows").fill("each morning");
  await page.getByRole("link", { name: "Read it" }).waitFor();
  expect(new Set(requested)).toEqual(new Set(["false"]));
});

test("going back restores the scroll position of the list; a new screen starts at the top", async () => {
  const user = await visit.register("scroller");
  for (let number = 0; number < 40; number += 1)
    await user.post("/api/workflows", { name: `Workflow ${number}`, metadata: oneStep });
  const page = await visit.open("/workflows", { user });
  await page.getByRole("link", { name: "Workflow 2", exact: true }).click();
  await page.locator(".react-flow__node").first().waitFor();
  await page.goBack();
  const main = page.getByRole("main");
  await expect.poll(() => main.evaluate((element: any) => element.scrollTop)).toBeGreaterThan(500);
  await page.getByRole("link", { name: "Workflow 2", exact: true }).waitFor();
  await page.getByRole("link", { name: "Runs" }).click();
  await page.getByText("No runs yet").waitFor();
  await page.getByRole("link", { name: "Go to workflows" }).click();
  await page.getByRole("link", { name: "Workflow 39", exact: true }).waitFor();
  expect(await main.evaluate((element: any) => element.scrollTop)).toBe(0);
});

test("while runs cannot be loaded, a workflow is not shown as never run", async () => {
  const user = await visit.register("doubter");
  const { workflow } = (await user.post("/api/workflows", { name: "Has run", metadata: oneStep })).body;
  await user.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  const page = await visit.open("/documents", { user });
  let isBroken = true;
  await page.route(/\/api\/stats\/workflows/, (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { ok: false, error: "internal_error", message: "A fault." } })
      : route.continue(),
  );
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  const row = page.getByRole("row", { name: /Has run/ });
  await row.waitFor();
  expect(await row.getByText("Never").count()).toBe(0);
  isBroken = false;
  await row.locator("[data-status=completed]").waitFor();
});

test("a missing record shows one message and no retry button", async () => {
  const user = await visit.register("lost");
  const page = await visit.open("/teams/team_nothing", { user });
  await page.getByRole("alert").getByText('There is no team "team_nothing".').waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
});

test("the ? key opens the list of shortcuts", async () => {
  const page = await visit.open("/workflows", { user: await visit.register("typist") });
  await page.getByText("Start with a template").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).getByText("Duplicate steps").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
