import { expect, test } from "vitest";
import { checkScreen, findingsInOtherTheme, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("the palette finds records with typing errors, grouped, by keyboard, and remembers what was opened", async () => {
  const user = await visit.register("seeker");
  const { workflow } = (
    await user.post("/api/workflows", {
      name: "Refund requests",
      metadata: { steps: [{ stepId: "check_return", type: "transform", template: 1 }], edges: [] },
    })
  ).body;
  await user.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  await user.post("/api/agents", { name: "Refund agent" });
  await user.post("/api/agent-teams", { name: "Refund squad" });
  await user.post("/api/connections", {
    kind: "bearer",
    name: "Refund service",
    hosts: ["api.example.com"],
    secrets: { token: "t" },
  });
  const page = await visit.open("/runs", { user });
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const search = dialog.getByRole("combobox");
  await search.fill("refnud");
  for (const group of ["Workflows", "Agents", "Teams", "Connections"])
    await dialog
      .getByRole("group", { name: group })
      .getByRole("option", { name: /^Refund/ })
      .waitFor();
  await checkScreen(page, "palette");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await search.fill("check_return");
  await dialog.getByRole("option", { name: /Refund requests.*check_return/ }).waitFor();
  await search.fill("refund requests");
  await dialog
    .getByRole("group", { name: "Runs" })
    .getByRole("option", { name: /Completed/ })
    .waitFor();
  await search.fill("refund squad");
  const squad = dialog.getByRole("option", { name: "Refund squad" });
  await squad.waitFor();
  while ((await squad.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Members" }).waitFor();

  await page.keyboard.press("Control+k");
  await dialog.getByRole("group", { name: "Recent" }).getByRole("option", { name: "Refund squad" }).waitFor();
  await search.fill("qqqqqq");
  await dialog.getByText("No matches.").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await search.fill("refund");
  await dialog.getByRole("group", { name: "Teams" }).waitFor();
  await checkScreen(page, "palette-390");
});

test("a screen is opened by its name", async () => {
  const user = await visit.register("plain");
  const page = await visit.open("/runs", { user });
  await page.getByRole("button", { name: "Search" }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("conn");
  await page.getByRole("option", { name: "Connections" }).click();
  await page.waitForURL(/\/connections$/);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("memb");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/settings\/members$/);
});
