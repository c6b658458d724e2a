import { expect, test } from "vitest";
import { upload } from "../documents/upload.ts";
import { checkScreen, confirm, findingsInOtherTheme, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("folders nest: create, drag, rename, move by menu, and delete with the workflows kept", async () => {
  const user = await visit.register("librarian");
  const { workflow } = (await user.post("/api/workflows", { name: "Sync invoices" })).body;
  const folderOf = async () => (await user.get(`/api/workflows/${workflow.id}`)).body.workflow.folder;
  const paths = async () =>
    (await user.get("/api/workflows/folders")).body.folders.map(({ folder }: { folder: string }) => folder);
  const page = await visit.open("/workflows", { user });
  const dialog = page.getByRole("dialog");
  const choose = async (folder: string, item: string) => {
    await page.getByRole("button", { name: `Actions of folder ${folder}`, exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  for (const name of ["Finance", "Archive"]) {
    await page.getByRole("button", { name: "New folder" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: `${name} 0 workflows` }).waitFor();
  }
  await choose("Finance", "New subfolder");
  await dialog.getByLabel("Name").fill("2026");
  await dialog.getByRole("button", { name: "Create" }).click();
  // An empty folder is stored by the service: another browser sees it.
  await expect.poll(paths).toEqual(["Archive", "Finance", "Finance/2026"]);
  await page.reload();
  // The list moves down when the folders arrive: the drag begins after that.
  await page.getByRole("button", { name: "2026 0 workflows" }).waitFor();
  await page
    .getByRole("row", { name: /Sync invoices/ })
    .dragTo(page.getByRole("button", { name: "2026 0 workflows" }));
  await expect.poll(folderOf).toBe("Finance/2026");
  await page.getByRole("button", { name: "Finance 1 workflow" }).waitFor();
  await checkScreen(page, "folders");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  await page.getByRole("button", { name: "Finance 1 workflow" }).click();
  await page.getByRole("row", { name: /Sync invoices/ }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "2026 1 workflow" }).count()).toBe(0);
  await page.getByRole("button", { name: "Finance 1 workflow" }).click();

  await choose("Finance", "Rename");
  await dialog.getByLabel("Name").fill("Accounting");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect.poll(folderOf).toBe("Accounting/2026");
  // The list is read again after the change: the drag begins after that.
  await page.getByRole("button", { name: "Accounting 1 workflow" }).waitFor();
  await page
    .getByRole("button", { name: "2026 1 workflow" })
    .dragTo(page.getByRole("button", { name: "Archive 0 workflows" }));
  await expect.poll(folderOf).toBe("Archive/2026");
  await choose("Archive/2026", "Move");
  await dialog.getByLabel("Into").selectOption("No folder");
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect.poll(folderOf).toBe("2026");
  await choose("Accounting", "Delete, keep workflows");
  await confirm(page, "Delete");
  await choose("2026", "Delete, keep workflows");
  await dialog.getByText("Its workflows and subfolders move out of it.").waitFor();
  await confirm(page, "Delete");
  await expect.poll(folderOf).toBe("");
  expect(await paths()).toEqual(["Archive"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await checkScreen(page, "folders-390");
});

test("tags of workflows and documents are edited as chips and filter the list", async () => {
  const user = await visit.register("tagger");
  const { workflow } = (await user.post("/api/workflows", { name: "Daily report" })).body;
  await user.patch(`/api/workflows/${workflow.id}`, { tags: ["finance"] });
  await user.post("/api/workflows", { name: "Other" });
  const page = await visit.open("/workflows", { user });
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Actions of Daily report" }).click();
  await page.getByRole("menuitem", { name: "Edit tags" }).click();
  await dialog.getByLabel("Tags", { exact: true }).fill("daily,");
  await dialog.getByLabel("Tags", { exact: true }).fill("weekly");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Remove tag finance" }).click();
  await checkScreen(page, "tags");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "weekly", exact: true }).click();
  await page.getByRole("row", { name: /Other/ }).waitFor({ state: "detached" });
  expect((await user.get(`/api/workflows/${workflow.id}`)).body.workflow.tags).toEqual(["daily", "weekly"]);

  for (const title of ["Contract", "Letter"])
    await upload(user, Buffer.from(`${title} of 2026`), { metadata: { title: `${title}.txt` } });
  await page.goto(`${visit.base}/documents`);
  await page.getByRole("button", { name: "Edit tags of Contract.txt" }).click();
  await dialog.getByLabel("Tags", { exact: true }).fill("law,");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "law", exact: true }).click();
  await page.getByRole("button", { name: "Edit tags of Letter.txt" }).waitFor({ state: "detached" });
  await checkScreen(page, "document-tags");
});
