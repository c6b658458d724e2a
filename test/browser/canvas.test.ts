import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { stepNode, valueField } from "./support/builder.ts";
import { fieldText, seriousFindings, useVisits, savedGraph } from "./support/visit.ts";

const visit = useVisits();

const step = (stepId: string, more: object = {}) => ({
  stepId,
  type: "transform",
  name: stepId.toUpperCase(),
  template: stepId,
  ...more,
});
const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});

async function createWorkflow(user: RegisteredUser, metadata: object, name = "Orders"): Promise<string> {
  const { body } = await user.post("/api/workflows", { name, metadata });
  return body.workflow.id as string;
}

test("everything that starts a workflow is a node above its first steps", async () => {
  const user = await visit.register("starter");
  const id = await createWorkflow(user, {
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

const chain = { steps: [step("a"), step("b")], edges: [edge("a", "b")] };

/** The edges of the saved draft, by their ends. */
async function savedEdges(user: RegisteredUser, id: string): Promise<string[]> {
  const { edges } = await savedGraph(user, id);
  return (edges as { source: string; target: string }[]).map(({ source, target }) => `${source}>${target}`);
}

test("a step is inserted on a line by a word that people use for it", async () => {
  const user = await visit.register("inserter");
  const id = await createWorkflow(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Insert step between A and B" }).click();
  const search = page.getByRole("combobox", { name: "Search steps" });
  await page.getByText("Insert between A and B").waitFor();
  await page.getByRole("group", { name: "Suggested" }).waitFor();
  for (const [word, title] of [
    ["if", "Condition"],
    ["loop", "For each"],
    ["slack", "HTTP request"],
    ["cron", "Wait"],
    ["gpt", "Ask a language model"],
  ] as const) {
    await search.fill(word);
    await page.getByRole("option", { name: title, selected: true }).waitFor();
  }
  await search.fill("nothing like that");
  await page.getByRole("option", { name: /^HTTP request/ }).waitFor();
  await page.getByRole("button", { name: "Describe it" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await search.fill("sleep");
  await page.keyboard.press("Enter");
  const added = page.locator(".node.sel");
  await added.locator("b", { hasText: "Wait" }).waitFor();
  await expect.poll(() => page.locator(".react-flow__edge").count()).toBe(3);
  const [a, between, b] = await Promise.all(
    [stepNode(page, "a"), added, stepNode(page, "b")].map((each) => each.boundingBox()),
  );
  expect(between!.y).toBeGreaterThan(a!.y);
  expect(between!.y).toBeLessThan(b!.y);

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect.poll(() => page.locator(".react-flow__edge").count()).toBe(2);
});

test("a line dropped on the empty canvas adds a step that is connected already", async () => {
  const user = await visit.register("dropper");
  const id = await createWorkflow(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  const handle = await stepNode(page, "a").locator(".react-flow__handle.source").boundingBox();
  await page.mouse.move(handle!.x + 4, handle!.y + 4);
  await page.mouse.down();
  await page.mouse.move(handle!.x + 260, handle!.y + 120, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("combobox", { name: "Search steps" }).fill("transform");
  await page.keyboard.press("Enter");
  await valueField(page, "Template").fill("Hello");
  await expect.poll(() => savedEdges(user, id)).toHaveLength(2);
  expect((await savedEdges(user, id))[1]).toMatch(/^a>/);

  // A double click on the empty canvas adds an unconnected step.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator(".react-flow__pane").dblclick({ position: { x: 300, y: 600 } });
  await page.getByRole("combobox", { name: "Search steps" }).fill("file");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".react-flow__node-step").count()).toBe(4);
});

test("the steps of a loop are nodes inside it: added, selected, edited and connected on the canvas", async () => {
  const user = await visit.register("looper");
  const loop = {
    stepId: "each",
    type: "foreach",
    name: "Each order",
    items: "{{input.orders}}",
    steps: [step("line", { template: "{{item}}" })],
  };
  const id = await createWorkflow(user, { steps: [step("a"), loop], edges: [edge("a", "each")] });
  const page = await visit.open(`/workflows/${id}`, { user });
  const inner = stepNode(page, "each/line");
  const isInside = async (): Promise<boolean> => {
    const [child, parent] = [await inner.boundingBox(), await stepNode(page, "each").boundingBox()];
    return child!.y > parent!.y && child!.y + child!.height < parent!.y + parent!.height;
  };
  await inner.waitFor();
  expect(await isInside()).toBe(true);
  await inner.getByRole("button", { name: "Add step after LINE" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("transform");
  await page.keyboard.press("Enter");
  await page.locator(".node.sel").waitFor();
  expect(await stepNode(page, "each").boundingBox()).toMatchObject({ height: expect.any(Number) });
  await page.getByLabel("Title").fill("Second");
  await valueField(page, "Template").fill("Hello");
  await expect
    .poll(async () => (await savedGraph(user, id)).steps[1])
    .toMatchObject({
      steps: [{ stepId: "line" }, { name: "Second" }],
      edges: [{ source: "line" }],
    });
  await inner.click();
  await page.keyboard.press("Delete");
  await inner.waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await inner.waitFor();
  expect(await isInside()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
});

test("loops contain loops, and a problem is shown at the inner step and in its form", async () => {
  const user = await visit.register("nested");
  const deep = { stepId: "deep", type: "foreach", name: "Deep", items: "{{item.rows}}", steps: [step("x")] };
  const id = await createWorkflow(user, {
    steps: [
      {
        stepId: "each",
        type: "foreach",
        name: "Each",
        items: "{{input.orders}}",
        steps: [step("line", { template: "{{item}}" }), deep],
      },
    ],
    edges: [],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "each/line").click();
  const template = valueField(page, "Template");
  await template.fill("{{nonsense.name}}");
  await page.getByText("“nonsense.name” does not exist").waitFor();
  await stepNode(page, "each/line").locator(".node.wrong").waitFor();
  await template.fill("");
  await page.keyboard.type("@");
  await page.getByRole("option", { name: /^This item/ }).click();
  expect(await fieldText(template)).toBe("{{item}}");
  await stepNode(page, "each/line").locator(".node.wrong").waitFor({ state: "detached" });

  // An emptied loop offers a button inside.
  await stepNode(page, "each/deep/x").click();
  await page.keyboard.press("Delete");
  await stepNode(page, "each/deep").getByRole("button", { name: "Add step to Deep" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("sleep");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "For", exact: true }).fill("1 s");
  await expect
    .poll(async () => (await savedGraph(user, id)).steps[0].steps)
    .toMatchObject([{ template: "{{item}}" }, { stepId: "deep", steps: [{ type: "delay" }] }]);
});

test("tidying up is undone in one step and keeps the viewport", async () => {
  const user = await visit.register("tidy");
  const id = await createWorkflow(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  const place = () => stepNode(page, "b").evaluate((element: any) => element.style.transform as string);
  const view = () =>
    page.locator(".react-flow__viewport").evaluate((element: any) => element.style.transform as string);
  await stepNode(page, "b").waitFor();
  const tidy = await place();
  const box = await stepNode(page, "b").boundingBox();
  await page.mouse.move(box!.x + 100, box!.y + 20);
  await page.mouse.down();
  await page.mouse.move(box!.x + 300, box!.y + 90, { steps: 4 });
  await page.mouse.up();
  const moved = await place();
  expect(moved).not.toBe(tidy);
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
  const id = await createWorkflow(user, chain);
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
  const id = await createWorkflow(user, chain);
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
  const id = await createWorkflow(user, {
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
  const source = await createWorkflow(user, {
    steps: [step("a"), step("b", { template: "{{steps.a.output}}" }), step("c")],
    edges: [edge("a", "b"), edge("b", "c")],
  });
  const target = await createWorkflow(user, { steps: [step("a")], edges: [] }, "Target");
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
  const id = await createWorkflow(user, {
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

test("an empty canvas offers triggers, a description and templates", async () => {
  const user = await visit.register("empty");
  const id = await createWorkflow(user, { steps: [], edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Describe it" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Start from a template" }).click();
  await page.getByRole("menuitem").first().click();
  await page.locator(".react-flow__node-step").first().waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
});

test("with a panel open the canvas keeps 60 % of a 1440 px window, and fitting never enlarges", async () => {
  const user = await visit.register("wide");
  const id = await createWorkflow(user, chain);
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
