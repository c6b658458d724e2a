import { expect, test } from "vitest";
import { checkScreen, confirm, findingsInOtherTheme, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a team shares a workspace: create, invite, join, change a role, remove", async () => {
  const mia = await visit.register("mia");
  const lena = await visit.register("lena");
  await mia.post("/api/workflows", { name: "Only mine" });
  const page = await visit.open("/workflows", { user: mia });
  await page.getByRole("button", { name: "Baton Workspace" }).click();
  await page.getByRole("button", { name: "New workspace" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Northwind Goods");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByRole("button", { name: "Northwind Goods Workspace" }).waitFor();
  expect(await page.getByText("Only mine").count()).toBe(0);
  const { workspaces } = (await mia.get("/api/auth/me")).body;
  const { id } = workspaces.find(({ name }: { name: string }) => name === "Northwind Goods");
  await mia.call("/api/workflows", {
    method: "POST",
    body: { name: "Refund requests" },
    headers: { "x-workspace": id },
  });

  await page.getByRole("button", { name: "Northwind Goods Workspace" }).click();
  await page.getByRole("link", { name: "Members and roles" }).click();
  expect(await page.getByRole("row", { name: mia.email }).textContent()).toMatch(/\S you/);
  const invite = page.getByRole("form", { name: "Invite" });
  await invite.getByLabel("Email address").fill(lena.email);
  await invite.getByLabel("Role").selectOption("operator");
  await invite.getByRole("button", { name: "Create invitation" }).click();
  const link = (await page.locator("[data-secret]").textContent())!;
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("region", { name: "Invitations" }).getByText(lena.email).waitFor();
  await checkScreen(page, "members");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  const other = await visit.newPage();
  await other.goto(visit.base + new URL(link).pathname);
  await other.getByText("You are invited to a workspace.").waitFor();
  await other.getByLabel("Email").fill(lena.email);
  await other.getByLabel("Password", { exact: true }).fill(lena.password);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.getByText("invites you to").waitFor();
  // In the frame of the sign-in before it, with room between the buttons.
  await other.getByRole("heading", { name: "Invitation", level: 1 }).waitFor();
  const boxOf = async (name: string) => (await other.getByRole("button", { name }).boundingBox())!;
  const left = await boxOf("Use another account");
  const right = await boxOf("Join workspace");
  expect(right.x - (left.x + left.width)).toBeGreaterThan(4);
  expect(await other.locator(".sign-in-card").count()).toBe(1);
  await checkScreen(other, "invitation");
  await other.getByRole("button", { name: "Join workspace" }).click();
  await other.getByRole("button", { name: "Northwind Goods Workspace" }).waitFor();
  await other.getByRole("link", { name: "Workflows", exact: true }).click();
  await other.getByText("Refund requests").waitFor();
  // The link is opened a second time.
  await other.goto(visit.base + new URL(link).pathname);
  await other.getByText("This invitation does not work").waitFor();
  expect(await seriousFindings(other)).toEqual([]);
  await other.getByRole("link", { name: "Open Baton" }).click();
  await other.getByRole("button", { name: "Northwind Goods Workspace" }).waitFor();

  await page.reload();
  const role = page.getByRole("combobox", { name: "Role of lena" });
  await role.selectOption("viewer");
  await expect.poll(async () => (await lena.get("/api/auth/me")).body.workspaces[1]?.role).toBe("viewer");
  // Nobody gives up their own role by a slip in a list.
  const own = page.getByRole("combobox", { name: "Role of mia" });
  await own.selectOption("viewer");
  await page.getByText("Only another owner can give it back.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await own.inputValue()).toBe("owner");
  await page.getByText("What each role may do").click();
  await page.getByRole("definition").filter({ hasText: "Run, rerun and approve" }).waitFor();
  await page.getByRole("row", { name: /lena/ }).getByRole("button", { name: "Remove" }).click();
  await confirm(page, "Remove member");
  await expect.poll(async () => (await lena.get("/api/auth/me")).body.workspaces.length).toBe(1);
  // Her page returns to what she may see.
  await other.reload();
  await other.getByRole("button", { name: "Baton Workspace" }).waitFor();
});

test("a link to a record of another workspace opens it there, and switching leaves it for its list", async () => {
  const user = await visit.register("two-hats");
  const { workspace } = (await user.post("/api/workspaces", { name: "Shop" })).body;
  const { body } = await user.call("/api/workflows", {
    method: "POST",
    body: { name: "Stock check" },
    headers: { "x-workspace": workspace.id },
  });
  const page = await visit.open(`/workflows/${body.workflow.id}`, { user });
  await page.getByText("belongs to another account or workspace").waitFor();
  await page.getByRole("button", { name: "Open in Shop" }).click();
  await page.getByRole("heading", { name: "Stock check" }).waitFor();
  await page.getByRole("button", { name: /Workspace$/ }).click();
  await page.locator("#workspaces .rail-link").first().click();
  await page.waitForURL(/\/workflows$/);
  await page.getByRole("button", { name: "Baton Workspace" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
