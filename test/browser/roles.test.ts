import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Role } from "../../contract/roles.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { createGreeting, triggerNode, triggerPanel } from "./support/triggers.ts";
import { pathWithIds, screens, type SeededIds, seedScreens } from "./support/screens.ts";
import { checkScreen, copyWith, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();
let ids: SeededIds;
let workspace: string;
const people = {} as Record<"viewer" | "operator" | "builder", RegisteredUser>;

beforeAll(async () => {
  const owner = await visit.register("owner");
  for (const role of ["viewer", "operator", "builder"] as const) people[role] = await visit.register(role);
  workspace = await createTeamWorkspace(
    owner,
    Object.entries(people).map(([role, person]) => [person, role as Role]),
  );
  ids = await seedScreens(inWorkspace(owner, workspace));
});

/** Opens the page in the team workspace; `refused` collects the requests that the service refuses by role. */
async function openAs(role: keyof typeof people, path: string): Promise<{ page: Page; refused: string[] }> {
  const refused: string[] = [];
  const page = await visit.open("/settings", { user: people[role] });
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
  });
  await page.evaluate(`localStorage.setItem("baton.workspace", ${JSON.stringify(workspace)})`);
  await page.goto(visit.base + path);
  await page.locator("main.body").waitFor();
  return { page, refused };
}

const SHOWN_TO_ALL = ["/settings", "/settings/security"];

test.each(["viewer", "operator"] as const)(
  "%s: opens every screen, presses every button, and no request is refused",
  async (role) => {
    const { page, refused } = await openAs(role, "/");
    const findings: string[] = [];
    const noAccess = page.getByText("Your role cannot open this screen");
    for (const [path, ready] of screens) {
      const at = pathWithIds(path, ids);
      // Client-side navigation keeps axe loaded in the page.
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(at)})`);
      // A role may see another text than the one that is waited for; its late requests count with the next screen.
      await page
        .locator(ready)
        .or(noAccess)
        .first()
        .waitFor({ timeout: 2000 })
        .catch(() => undefined);
      // An operator sees the controls of owners; what only a viewer sees is checked here.
      if (role === "viewer")
        findings.push(...(await seriousFindings(page)).map((finding) => `${at} ${finding}`));
      if (!SHOWN_TO_ALL.includes(path)) await pressEveryButton(page, at);
      findings.push(...refused.splice(0).map((request) => `${at} ${request}`));
    }
    await page.goto(`${visit.base}/settings`);
    await page.getByText("Delete account").first().waitFor();
    expect([...findings, ...refused]).toEqual([]);
  },
  300_000,
);

/** Decisions end what the later screens show; they are tested elsewhere. */
const LEFT_ALONE = "^(Approve|Reject|Cancel run|Stop|Leave workspace|Sign out)";

/** Presses each enabled button of the screen once. In the page: a browser test would wait for each of several hundred. */
async function pressEveryButton(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    const leftAlone = new RegExp(${JSON.stringify(LEFT_ALONE)});
    const pressed = new Set();
    const nameOf = (button) => (button.getAttribute("aria-label") ?? button.textContent).trim();
    const next = () =>
      [...document.querySelectorAll("main button:enabled, header.top button:enabled")].find(
        (button) => button.checkVisibility() && !pressed.has(nameOf(button)) && !leftAlone.test(nameOf(button)),
      );
    for (let button = next(); button !== undefined; button = next()) {
      pressed.add(nameOf(button));
      button.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(escape);
      for (const dialog of document.querySelectorAll("dialog[open]"))
        dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
      if (location.pathname + location.search !== ${JSON.stringify(path)})
        history.pushState(null, "", ${JSON.stringify(path)});
    }
  })()`);
}

test("a viewer reads a workflow and changes nothing", async () => {
  const { page, refused } = await openAs("viewer", `/workflows/${ids["long"]}`);
  const step = page.locator(".react-flow__node-step");
  await step.click();
  const panel = page.getByRole("complementary", { name: "Inspector" });
  await page.getByText("View only").waitFor();
  expect(await panel.getByLabel("Title").isDisabled()).toBe(true);
  const field = panel.locator(".cm-content").first();
  expect(await field.getAttribute("contenteditable")).toBe("false");
  await checkScreen(page, "builder-viewer");
  expect(
    await page
      .locator(".react-flow")
      .getByRole("button", { name: /Add|Insert/ })
      .count(),
  ).toBe(0);
  for (const name of ["Run", "Publish", "Add step", "Test", "Undo"])
    expect([name, await page.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
  await step.click();
  for (const key of ["d", "Delete", "/", "F2", "Shift+T", "Control+d", "Control+Enter"])
    await page.keyboard.press(key);
  const box = (await step.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 120, { steps: 5 });
  await page.mouse.up();
  await page.reload();
  await step.waitFor();
  const owner = inWorkspace(people.builder, workspace);
  expect((await owner.get(`/api/workflows/${ids["long"]}/draft`)).body.draft).toBeNull();
  expect(refused).toEqual([]);
});

test("a viewer sees which switches are disabled", async () => {
  const { page, refused } = await openAs("viewer", "/workflows");
  const opacity = await page
    .getByRole("switch")
    .first()
    .evaluate((element: any) => element.ownerDocument.defaultView.getComputedStyle(element).opacity);
  expect(Number(opacity)).toBeLessThan(1);
  expect(refused).toEqual([]);
});

test("a connection of another member that works does not ask to be reconnected", async () => {
  const { page, refused } = await openAs("builder", `/connections/${ids["connection"]}`);
  await page.getByText("Another member created it.").waitFor();
  expect(await page.getByText("to reconnect it").count()).toBe(0);
  expect(refused).toEqual([]);
});

test("an operator runs what a builder built, and screens of other roles say which role they need", async () => {
  const { page, refused } = await openAs("operator", `/workflows/${ids["long"]}`);
  await page.getByText("View only").waitFor();
  expect(await page.getByRole("button", { name: "Publish" }).count()).toBe(0);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".run-drawer [data-status=completed]").first().waitFor();
  const rail = page.getByRole("navigation", { name: "Main" });
  expect(await rail.getByRole("link", { name: "Connections" }).count()).toBe(0);
  await page.goto(`${visit.base}/connections`);
  await page.getByText("Needs the role Builder. Yours is Operator.").waitFor();
  await checkScreen(page, "no-access");
  await page.goto(`${visit.base}/settings/api-keys`);
  await page.getByText("Needs the role Admin. Yours is Operator.").waitFor();
  expect(refused).toEqual([]);
});

test("each control of a trigger follows its own role: readers copy addresses, operators redeliver", async () => {
  const builder = inWorkspace(people.builder, workspace);
  const id = await createGreeting(builder);
  const hook = { name: "Shop", source: "role-shop", workflowId: id };
  const { webhook } = (await builder.post("/api/webhooks", hook)).body;
  const headers = { "x-webhook-secret": webhook.secret };
  expect((await visit.app.anonymous.post("/webhook/role-shop", { name: "Grace" }, headers)).status).toBe(200);
  const deliveries = async () =>
    (await builder.get(`/api/webhooks/${webhook.id}/deliveries`)).body.deliveries.length as number;

  for (const role of ["viewer", "operator"] as const) {
    const { page, refused } = await openAs(role, `/workflows/${id}`);
    await triggerNode(page, "webhook").click();
    const panel = triggerPanel(page);
    await copyWith(
      panel.getByRole("button", { name: "Copy", exact: true }).first(),
      panel.getByRole("button", { name: "Copied" }),
    );
    for (const control of [
      panel.getByRole("switch", { name: "Active" }),
      panel.getByLabel("Source"),
      panel.getByRole("button", { name: "Rotate secret" }),
      panel.getByRole("button", { name: "Delete webhook" }),
    ])
      expect(await control.isDisabled()).toBe(true);
    await checkScreen(page, `trigger-webhook-${role}`);
    await panel.getByRole("tab", { name: "Deliveries" }).click();
    await panel.locator("summary", { hasText: "accepted" }).first().click();
    const redeliver = panel.getByRole("button", { name: "Redeliver" });
    if (role === "viewer") expect(await redeliver.count()).toBe(0);
    else {
      await redeliver.first().click();
      await expect.poll(deliveries).toBe(2);
    }
    expect(refused).toEqual([]);
  }
});

test("a builder edits and publishes, and is not offered what admins manage", async () => {
  const { page, refused } = await openAs("builder", `/workflows/${ids["long"]}`);
  await page.getByRole("button", { name: "Publish" }).waitFor();
  expect(await page.getByText("View only").count()).toBe(0);
  await page.goto(`${visit.base}/settings/members`);
  await page.getByRole("row", { name: /viewer/ }).waitFor();
  const main = page.getByRole("main");
  expect(await main.getByRole("combobox").count()).toBe(0);
  expect(await main.getByRole("button", { name: /Remove|Create invitation|Delete workspace/ }).count()).toBe(
    0,
  );
  const tabs = page.getByRole("navigation", { name: "Settings" });
  await tabs.getByRole("link", { name: "MCP servers" }).waitFor();
  expect(await tabs.getByRole("link", { name: "API keys" }).count()).toBe(0);
  expect(refused).toEqual([]);
});
