import { expect, test } from "vitest";
import { lines, pdfOf } from "../../server/documents/extract/test-pdf.ts";
import { picture, useVisits } from "./support/visit.ts";

const visit = useVisits();

async function runbook(): Promise<Buffer> {
  const filler = (topic: string) =>
    lines([
      `This chapter is about ${topic}.`,
      "It says nothing about money at all.",
      "Turn the page for the next one.",
    ]);
  return Buffer.from(
    await pdfOf([
      filler("the kitchen and its rules"),
      lines([
        "A declined charge is retried once after fifteen minutes.",
        "If it is declined again, open a ticket with the acquirer.",
        "Tell the customer within one working day.",
      ]),
      filler("the garden in winter"),
    ]),
  );
}

test("a PDF is uploaded, asked, and the citation opens its page with the passage marked", async () => {
  const page = await visit.open("/documents", { user: await visit.register("reader") });
  await page.getByText("Ask your own documents").waitFor();
  await page
    .getByLabel("PDF files")
    .setInputFiles({ name: "runbook.pdf", mimeType: "application/pdf", buffer: await runbook() });
  await page.locator("[data-status=indexed]").waitFor({ timeout: 50_000 });
  await page.getByLabel("Your question").fill("What happens when a charge is declined twice?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const source = page.getByRole("button", { name: /runbook\.pdf · page 2/ }).first();
  await source.waitFor();
  await source.click();
  await page.locator(".pdf[data-painted='2']").waitFor();
  await page.locator(".passage").first().waitFor();
  await page.getByText("page 2 of 3").waitFor();
  await picture(page, "documents");
  await page.getByRole("button", { name: "Page before" }).click();
  await page.locator(".pdf[data-painted='1']").waitFor();
  expect(await page.locator(".passage").count()).toBe(0);

  await page.getByRole("button", { name: "Delete runbook.pdf" }).click();
  await page.getByText("Ask your own documents").waitFor();
});

test("a file that is no PDF is refused with a sentence, and nothing is left behind", async () => {
  const user = await visit.register("wrong");
  const page = await visit.open("/documents", { user });
  await page
    .getByLabel("PDF files")
    .setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("just words") });
  await page.getByRole("alert").getByText("notes.pdf").waitFor();
  expect((await user.get("/api/v1/documents")).body.documents).toEqual([]);
});
