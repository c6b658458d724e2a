import { expect, test } from "vitest";
import { createGraph, openStep, stepNode, twoSteps, valueField } from "./support/builder.ts";
import { checkScreen, findingsInOtherTheme, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

test("an app is found by what it does; its action becomes a step with the letters of the app", async () => {
  const user = await visit.register("app-builder");
  const id = await createGraph(user, twoSteps);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "greet").click();
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search steps" });
  await search.fill("slack");
  const actions = page.getByRole("listbox", { name: "Actions of Slack" });
  await actions.getByRole("option", { name: "Send a message" }).waitFor();
  // The actions that have a word of their own come before the others.
  await search.fill("slack channel");
  expect(await actions.getByRole("option").first().textContent()).toContain("channel");
  await checkScreen(page, "step-picker-apps");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  await search.fill("slack message");
  await search.press("ArrowRight");
  const first = actions.getByRole("option", { selected: true });
  expect(await first.textContent()).toContain("Send a message");
  expect(await search.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  await search.press("Enter");

  const node = page.locator(".react-flow__node", { hasText: "Slack · Send a message" });
  expect(await node.locator(".app-tile").textContent()).toBe("Sl");
  await waitForSave(page);
  const added = (await savedGraph(user, id)).steps.at(-1);
  expect(added).toMatchObject({
    stepId: "send-a-message",
    type: "app",
    app: "slack",
    action: "send_message",
  });
});

test("the form of an app step has the fields of its action; advanced ones are added on request", async () => {
  const user = await visit.register("app-filler");
  const id = await createGraph(user, {
    steps: [
      {
        stepId: "post",
        type: "app",
        name: "Post",
        app: "slack",
        action: "send_message",
        input: { channel: "C0", text: "-" },
      },
      { stepId: "after", type: "transform", template: "x" },
    ],
    edges: [{ id: "e", source: "post", target: "after" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "post");
  await valueField(page, "Text").fill("Paid");
  await page.getByRole("button", { name: "+ Reply to" }).click();
  await valueField(page, "Reply to").fill("171.5");
  await page.getByRole("button", { name: "+ Preview links" }).click();
  await page.getByRole("combobox", { name: "Preview links" }).selectOption("No");
  await valueField(page, "Channel").fill("C1");
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[0].input).toEqual({
    channel: "C1",
    text: "Paid",
    threadTs: "171.5",
    unfurlLinks: false,
  });
  await checkScreen(page, "app-step");

  // Before the first run, the sample is what the step returns, and later steps can use its fields.
  await page.getByRole("tab", { name: "Output" }).click();
  await page.getByRole("region", { name: "Sample output" }).getByText("channel").first().waitFor();
  await stepNode(page, "after").click();
  await page.getByRole("tab", { name: "Settings" }).click();
  const template = page.locator(".ph-editor .cm-content").first();
  await template.fill("@ts");
  await page.getByRole("option", { name: /Post › ts/ }).click();
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toContain("{{steps.post.output.ts}}");
});
