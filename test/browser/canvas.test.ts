import { expect, test } from "vitest";
import { chain, createGraph, edge, step, stepNode } from "./support/builder.ts";
import { seriousFindings, useVisits, savedGraph } from "./support/visit.ts";

const visit = useVisits();

test("everything that starts a workflow is a node above its first steps", async () => {
  const user = await visit.register("starter");
  const id = await createGraph(user, {
    steps: [step("a"), step("b"), step("c")],
    edges: [edge("a", "c"), edge("b", "c")],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  const manual = stepNode(page, `trigger:manual:${id}`);
  await manual.getByText("Manual").waitFor();

  const { body } = await user.post("/api/webhooks", { name: "Shop", source: "shop", workflowId: id });
  await user.post("/api/schedules", { workflowId: id, cron: "0 8 * * *", active: false });
  await page.reload();
  const webhook = stepNode(page, `trigger:webhook:${body.webhook.id}`);
  await webhook.getByText("Webhook · shop").waitFor();
  await page.locator(".node.trig.off", { hasText: "Paused" }).waitFor();
  expect(await manual.count()).toBe(0);
  // Two triggers start two first steps.
  await expect.poll(() => page.locator('.react-flow__edge[data-id^="trigger:"]').count()).toBe(4);
  const [above, below] = [await webhook.boundingBox(), await stepNode(page, "a").boundingBox()];
  expect(above!.y + above!.height).toBeLessThan(below!.y);

  await webhook.click();
  await webhook.locator(".node.sel").waitFor();
  await page.keyboard.press("Delete");
  await webhook.waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test("tidying up is undone in one step and keeps the viewport", async () => {
  const user = await visit.register("tidy");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  const place = () => stepNode(page, "b").evaluate((element: any) => element.style.transform as string);
  const view = () =>
    page.locator(".react-flow__viewport").evaluate((element: any) => element.style.transform as string);
  // Waits until the canvas has been fitted and stands still.
  await stepNode(page, "b").hover();
  const tidy = await place();
  const box = await stepNode(page, "b").boundingBox();
  await page.mouse.move(box!.x + 100, box!.y + 20);
  await page.mouse.down();
  await page.mouse.move(box!.x + 300, box!.y + 90, { steps: 4 });
  await page.mouse.up();
  await expect.poll(place).not.toBe(tidy);
  const moved = await place();
  const before = await view();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+T");
  await expect.poll(place).toBe(tidy);
  expect(await view()).toBe(before);
  await page.keyboard.press("Control+z");
  await expect.poll(place).toBe(moved);
});

test("a note is written on the canvas, saved with the workflow, moved and deleted", async () => {
  const user = await visit.register("notes");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "a").waitFor();
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Note" }).waitFor();
  await page.keyboard.type("Finance rule");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Ask Lena first");
  await page.keyboard.press("Escape");
  const note = page.locator(".note");
  await note.getByText("Ask Lena first").waitFor();
  await expect
    .poll(async () => (await savedGraph(user, id)).notes)
    .toMatchObject([{ text: "Finance rule\nAsk Lena first" }]);
  expect(await seriousFindings(page)).toEqual([]);
  await note.click();
  await page.keyboard.press("Delete");
  await note.waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await note.waitFor();
});

test("the menu of a step renames, duplicates, pins, disables and deletes it", async () => {
  const user = await visit.register("menu");
  const id = await createGraph(user, chain);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}`, { user });
  const item = (name: string) => page.getByRole("menuitem", { name });
  await stepNode(page, "b").click({ button: "right" });
  await item("Test step").waitFor();
  await item("Run to here").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await item("Rename").click();
  await page.getByRole("textbox", { name: "Title of the step" }).fill("Greet");
  await page.keyboard.press("Enter");
  await stepNode(page, "greet").getByText("Greet", { exact: true }).waitFor();

  // By keyboard: the menu of the focused step.
  await stepNode(page, "greet").focus();
  await page.keyboard.press("Shift+F10");
  await item("Disable").click();
  await stepNode(page, "greet").getByText("Disabled", { exact: true }).waitFor();
  await page.keyboard.press("d");
  await stepNode(page, "greet").getByText("Disabled", { exact: true }).waitFor({ state: "detached" });
  await page.keyboard.press("p");
  await stepNode(page, "greet").getByText("pinned").waitFor();
  await stepNode(page, "greet").click({ button: "right" });
  await item("Duplicate").click();
  await stepNode(page, "greet-2").waitFor();
  await stepNode(page, "greet-2").click({ button: "right" });
  await item("Delete").click();
  await stepNode(page, "greet-2").waitFor({ state: "detached" });
  await stepNode(page, "greet").click({ button: "right" });
  await item("Run to here").click();
  await page.locator(".react-flow__edge.taken").first().waitFor();
});

test("a disabled step is passed by a run, and the canvas says so", async () => {
  const user = await visit.register("disabler");
  const id = await createGraph(user, {
    steps: [step("a"), step("b"), step("c", { template: "{{steps.a.output}}!" })],
    edges: [edge("a", "b"), edge("b", "c")],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "b").click();
  await page.keyboard.press("d");
  await expect.poll(async () => (await savedGraph(user, id)).steps[1].disabled).toBe(true);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true&version=draft`, { input: {} });
  const { task } = (await user.get(`/api/tasks/${body.taskId}`)).body;
  expect(task.stepResults).toMatchObject([
    { stepId: "a", status: "completed" },
    { stepId: "b", status: "skipped", reason: "disabled", output: null },
    { stepId: "c", status: "completed", output: "a!" },
  ]);
});

test("several steps are selected with Shift and copied into another workflow", async () => {
  const user = await visit.register("copier");
  const source = await createGraph(user, {
    steps: [step("a"), step("b", { template: "{{steps.a.output}}" }), step("c")],
    edges: [edge("a", "b"), edge("b", "c")],
  });
  const target = await createGraph(user, { steps: [step("a")], edges: [] }, "Target");
  const page = await visit.open(`/workflows/${source}`, { user });
  await stepNode(page, "a").click();
  await stepNode(page, "b").click({ modifiers: ["Shift"] });
  await expect.poll(() => page.locator(".node.sel").count()).toBe(2);
  await page.keyboard.press("Control+c");
  await page.goto(`${visit.base}/workflows/${target}`);
  await stepNode(page, "a").waitFor();
  await page.keyboard.press("Control+v");
  await stepNode(page, "b").waitFor();
  await expect
    .poll(async () => (await savedGraph(user, target)).steps)
    .toMatchObject([{ stepId: "a" }, { stepId: "a-2" }, { stepId: "b", template: "{{steps.a-2.output}}" }]);

  // A box drawn with Shift selects what it touches.
  await page.keyboard.press("Escape");
  const pane = await page.locator(".react-flow__pane").boundingBox();
  await page.keyboard.down("Shift");
  await page.mouse.move(pane!.x + 120, pane!.y + 60);
  await page.mouse.down();
  await page.mouse.move(pane!.x + pane!.width - 40, pane!.y + pane!.height - 120, { steps: 6 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect.poll(() => page.locator(".node.sel").count()).toBe(3);
});

test("after a run the lines it took are green with item counts, others grey, and loops page through items", async () => {
  const user = await visit.register("lines");
  const id = await createGraph(user, {
    steps: [
      step("list", { template: [1, 2, 3] }),
      {
        stepId: "each",
        type: "foreach",
        name: "Each",
        items: "{{steps.list.output}}",
        steps: [step("x", { template: "{{item}}" })],
      },
      { stepId: "check", type: "condition", name: "Check", left: 1, operator: "eq", right: 1 },
      step("yes"),
      step("no"),
    ],
    edges: [
      edge("list", "each"),
      edge("each", "check"),
      edge("check", "yes", { condition: "true" }),
      edge("check", "no", { condition: "false" }),
    ],
  });
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Last run" }).click();
  const line = (name: string) => page.locator(`.react-flow__edge[data-id="${name}"]`);
  await page.locator(".react-flow__edge.taken[data-id=check-yes]").waitFor();
  await page.locator(".react-flow__edge.untaken[data-id=check-no]").waitFor();
  await line("list-each").getByText("3 items").waitFor();
  await line("check-no").getByText("No", { exact: true }).waitFor();
  await stepNode(page, "each").getByText("Item 1 of 3").waitFor();
  await stepNode(page, "each/x").locator(".st.ok").waitFor();
  await page.getByRole("button", { name: "Next item of Each" }).click();
  await stepNode(page, "each").getByText("Item 2 of 3").waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  // The graph of the run shows the same, and a step inside the loop opens with the item that is shown.
  await page.goto(`${visit.base}/runs/${body.taskId as string}?view=graph`);
  await page.locator(".react-flow__edge.untaken[data-id=check-no]").waitFor();
  await page.getByRole("button", { name: "Next item of Each" }).click();
  await stepNode(page, "each").getByText("Item 2 of 3").waitFor();
  await stepNode(page, "each/x").click();
  await page.waitForURL((url) => url.searchParams.get("step") === "each[1]/x");
  await page.getByRole("region", { name: "Step" }).getByText("Completed").waitFor();
});

test("a loop begins with the item that failed", async () => {
  const user = await visit.register("failing");
  const id = await createGraph(user, {
    steps: [
      {
        stepId: "each",
        type: "foreach",
        name: "Each",
        items: [1, 2, 3],
        concurrency: 1,
        steps: [
          { stepId: "x", type: "transform", expression: 'item = 2 ? $error("Two is not allowed.") : item' },
        ],
      },
    ],
    edges: [],
  });
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Last run" }).click();
  await stepNode(page, "each").getByText("Item 2 of 3").waitFor();
  await stepNode(page, "each/x").locator(".st.bad").waitFor();
  await page.getByRole("button", { name: "Previous item of Each" }).click();
  await stepNode(page, "each").getByText("Item 1 of 3").waitFor();
  await stepNode(page, "each/x").locator(".st.ok").waitFor();
});

test("with a panel open the canvas keeps 60 % of a 1440 px window, and fitting never enlarges", async () => {
  const user = await visit.register("wide");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "a").click();
  const panel = await page.locator(".panel.inspector").boundingBox();
  const canvas = await page.getByRole("region", { name: "Canvas" }).boundingBox();
  expect(panel!.x - canvas!.x).toBeGreaterThanOrEqual(0.6 * 1440);
  await page.keyboard.press("f");
  const zoom = () =>
    page
      .locator(".react-flow__viewport")
      .evaluate((element: any) => Number(/scale\(([\d.]+)\)/.exec(element.style.transform)?.[1]));
  await expect.poll(zoom).toBeLessThanOrEqual(1);
  await page.getByRole("button", { name: "Fit View" }).click();
  expect(await zoom()).toBeLessThanOrEqual(1);
});
