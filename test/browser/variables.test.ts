import { expect, test } from "vitest";
import { confirm, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a secret is never shown again; a variable can be read, edited and deleted", async () => {
  const page = await visit.open("/variables", { user: await visit.register("keeper") });
  await page.getByLabel("Name").fill("apiPassword");
  await page.getByRole("switch").check();
  await page.getByLabel("Value").fill("hunter-two");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("{{secrets.apiPassword}}").waitFor();
  await page.getByText("encrypted", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("hunter-two");
  await page.getByRole("switch").uncheck();
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Value").fill("https://shop.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("https://shop.example").waitFor();
  await page.getByRole("button", { name: "Edit shop" }).click();
  await page.getByLabel("Value").fill("https://new.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("https://new.example").waitFor();
  await page.getByRole("button", { name: "Delete shop" }).click();
  await confirm(page, "Delete");
  await page.getByText("https://new.example").waitFor({ state: "detached" });
});
