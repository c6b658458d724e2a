import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { upload } from "../documents/upload.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { fillValue, openStep, valueField } from "./support/builder.ts";
import { checkScreen, confirm, dropFile, useVisits, savedGraph } from "./support/visit.ts";

const visit = useVisits();

async function runbookPdf(): Promise<Buffer> {
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

test("a PDF is uploaded and queried, and the citation opens its page with the passage highlighted", async () => {
  const user = await visit.register("reader");
  const page = await visit.open("/documents", { user });
  await page.getByText("Ask questions about your documents").waitFor();
  await page
    .getByLabel("Document files")
    .setInputFiles({ name: "runbook.pdf", mimeType: "application/pdf", buffer: await runbookPdf() });
  await page.locator("[data-status=indexed]").waitFor({ timeout: 50_000 });
  await page.getByLabel("Your question").fill("What happens when a charge is declined twice?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const source = page.getByRole("button", { name: /runbook\.pdf · page 2/ }).first();
  await source.waitFor();
  await source.click();
  await page.locator(".pdf[data-painted='2']").waitFor();
  await page.locator(".passage").first().waitFor();
  await page.getByText("page 2 of 3").waitFor();
  await checkScreen(page, "documents");
  await page.getByText("Everything stays on this machine").click();
  await page.getByText("no language model is configured").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("radio", { name: "Answer" }).click();
  await page.getByLabel("Your question").waitFor();
  expect(await page.locator(".pdf").isVisible()).toBe(false);
  await page.getByRole("radio", { name: "Page 2" }).click();
  await page.locator(".passage").first().waitFor();
  expect(await page.getByLabel("Your question").isVisible()).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Previous page" }).click();
  await page.locator(".pdf[data-painted='1']").waitFor();
  expect(await page.locator(".passage").count()).toBe(0);

  const workflow = await user.post("/api/workflows", {
    name: "Asker",
    metadata: {
      steps: [{ stepId: "ask", type: "document_query", query: "{{input.question}}", topK: 5 }],
      edges: [],
    },
  });
  await page.goto(`${visit.base}/workflows/${workflow.body.workflow.id}`);
  await openStep(page, "ask");
  await page.getByRole("button", { name: "+ Documents" }).click();
  await page.getByRole("checkbox", { name: "runbook.pdf" }).check();
  const chosen = async () => (await savedGraph(user, workflow.body.workflow.id)).steps[0].documentIds;
  const [{ document_id: documentId }] = (await user.get("/api/v1/documents")).body.documents;
  await expect.poll(chosen).toEqual([documentId]);
  await page.getByRole("button", { name: "Use a value" }).click();
  await fillValue(valueField(page, "Documents"), "{{input.documents}}");
  await expect.poll(chosen).toBe("{{input.documents}}");
  await page.getByRole("button", { name: "Select from list" }).click();
  await expect.poll(chosen).toBeUndefined();

  await page.goto(`${visit.base}/documents?tag=rules`);
  await page.getByText("No document has this tag.").waitFor();
  await page.getByLabel("Tag", { exact: true }).selectOption({ label: "All tags" });
  await page.getByLabel("Tags for new uploads").fill("handbook, 2026");
  await page.getByLabel("Document files").setInputFiles({
    name: "garden.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from(await pdfOf([lines(["Roses are cut in March."])])),
  });
  await page.locator("tr", { hasText: "garden.pdf" }).locator("[data-status=indexed]").waitFor();
  await page.getByLabel("Tag", { exact: true }).selectOption("handbook");
  await page.getByRole("button", { name: "Delete runbook.pdf" }).waitFor({ state: "detached" });
  expect(page.url()).toContain("tag=handbook");
  await page.getByRole("button", { name: "Delete garden.pdf" }).click();
  await confirm(page, "Delete");
  await page.getByText("No document has this tag.").waitFor();
  await page.getByLabel("Tag", { exact: true }).selectOption({ label: "All tags" });
  await page.getByRole("button", { name: "Delete runbook.pdf" }).click();
  await confirm(page, "Delete");
  await page.getByText("Ask questions about your documents").waitFor();
});

test.each([
  ["light", 1440],
  ["dark", 390],
] as const)("an answer, closest passages and no answer look different, %s at %d", async (theme, width) => {
  const user = await visit.register(`asker${width}`);
  const page = await visit.open("/documents", { user, theme, width });
  await page
    .getByLabel("Document files")
    .setInputFiles({ name: "runbook.pdf", mimeType: "application/pdf", buffer: await runbookPdf() });
  await page.locator("[data-status=indexed]").waitFor({ timeout: 50_000 });
  let confidence = "high";
  await page.route("**/api/v1/documents/query?stream=true", async (route) => {
    const response = await route.fetch({ url: `${visit.base}/api/v1/documents/query` });
    const none = { answer: "Nothing in the documents is relevant to this question.", sources: [] };
    const body = await response.json();
    const quote = "A declined charge is retried once after fifteen minutes.";
    expect(body.sources[0]).toMatchObject({ quote, highlights: [{ start: 40, end: 47 }] });
    const json = { ...body, confidence, ...(confidence === "none" && none) };
    const events = `event: finished\ndata: ${JSON.stringify(json)}\n\n`;
    await route.fulfill({ body: events, contentType: "text/event-stream" });
  });
  const ask = async (expected: string): Promise<void> => {
    confidence = expected;
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(`[data-confidence=${expected}]`).waitFor();
  };
  const answer = page.getByRole("status", { name: "Answer" });
  await page.getByLabel("Your question").fill("After how many minutes is a declined charge retried?");
  await ask("low");
  await answer.getByText("No passage clearly answers this. Closest:").waitFor();
  expect(await answer.getByRole("list", { name: "Closest passages" }).isVisible()).toBe(true);
  expect(await page.locator(".pdf").count()).toBe(0);
  await checkScreen(page, `documents-low-${theme}`);
  await ask("none");
  await answer.getByRole("heading", { name: "No answer found" }).waitFor();
  expect(await answer.getByRole("list").count()).toBe(0);
  expect(await answer.getByText("Quoted word for word").count()).toBe(0);
  await checkScreen(page, `documents-none-${theme}`);
  await ask("high");
  await answer.getByText("The most relevant passages say:").waitFor();
  expect(await answer.getByRole("list", { name: "Sources" }).isVisible()).toBe(true);
  // The likely answer is bold in the answer and in its source.
  await expect.poll(() => answer.locator("b", { hasText: "fifteen" }).count()).toBe(2);
  await page.locator(".pdf[data-painted='2']").waitFor({ state: "attached" });
  await checkScreen(page, `documents-high-${theme}`);
});

test("a file in no supported format is rejected with a message and not stored", async () => {
  const user = await visit.register("wrong");
  const page = await visit.open("/documents", { user });
  await page.getByText("Ask questions about your documents").waitFor();
  await dropFile(page.getByRole("region", { name: "Ask" }), {
    name: "notes.pdf",
    type: "application/pdf",
    content: "\u0000\u0001binary",
  });
  await page.getByRole("alert").getByText("notes.pdf").waitFor();
  expect((await user.get("/api/v1/documents")).body.documents).toEqual([]);
});

async function addPumps(user: RegisteredUser): Promise<void> {
  for (const [name, bar] of [
    ["Halden", 6],
    ["Orsk", 12],
  ] as const) {
    const bytes = await pdfOf([lines([`The greatest pressure of the ${name} pump is ${bar} bar.`])]);
    const metadata = { title: `${name.toLowerCase()}.pdf` };
    expect((await upload(user, bytes, { metadata })).status).toBe(201);
  }
}

test("a conversation is understood from its beginning, inside a collection", async () => {
  const user = await visit.register("talker");
  await addPumps(user);
  const page = await visit.open("/documents", { user });
  await page.getByRole("button", { name: "New collection" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Pumps");
  await page.keyboard.press("Enter");
  await page.getByText("This collection is empty.").waitFor();
  await page.getByRole("button", { name: "All documents" }).click();
  await page.getByRole("checkbox", { name: "Search only orsk.pdf" }).check();
  await page.getByLabel("Add the selected documents to a collection").selectOption("Pumps");
  await page.getByRole("button", { name: "Pumps 1" }).click();
  await page.getByRole("button", { name: "Take orsk.pdf out of the collection" }).waitFor();
  await page.getByText("Searches the collection “Pumps”.").waitFor();

  const question = page.getByLabel("Your question");
  await question.fill("What is the greatest pressure of the Halden pump?");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("status", { name: "Answer" });
  await answer.getByRole("button", { name: /orsk\.pdf · page 1/ }).waitFor();
  expect(await answer.getByText("6 bar").count()).toBe(0);
  await page.getByRole("button", { name: "All documents" }).click();
  await question.fill("and the Orsk?");
  await page.keyboard.press("Enter");
  await answer.getByText("Answered as “What is the greatest pressure of the Orsk pump?”").waitFor();
  await answer.getByText("12 bar").first().waitFor();
  await expect.poll(() => answer.getAttribute("aria-busy")).toBe("false");
  expect(
    await page.getByRole("region", { name: "Conversation" }).getByRole("heading", { level: 3 }).count(),
  ).toBe(2);
  await checkScreen(page, "documents-conversation");
  await page.getByRole("button", { name: "New conversation" }).click();
  await answer.waitFor({ state: "detached" });
  await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("Your question");
});

test("a collection is shared, gets an upload address and is deleted, and its documents stay", async () => {
  const user = await visit.register("owner");
  const reader = await visit.register("listener");
  await addPumps(user);
  const { collection_id: id } = (await user.post("/api/v1/collections", { name: "Pumps" })).body;
  const [{ document_id: orsk }] = (await user.get("/api/v1/documents")).body.documents;
  await user.put(`/api/v1/collections/${id}/documents/${orsk}`);
  const page = await visit.open(`/documents?collection=${id}`, { user });
  await page.getByRole("button", { name: "Actions of collection Pumps" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("textbox", { name: "People" }).fill(reader.email);
  await checkScreen(page, "documents-share");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Actions of collection Pumps" }).click();
  await page.getByRole("menuitem", { name: "Upload address" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator("[data-secret]").textContent();
  await checkScreen(page, "documents-upload-address");
  await page.getByRole("button", { name: "Done" }).click();
  const sent = await user.call(`/api/v1/collections/${id}/upload`, {
    method: "POST",
    body: Buffer.from("not a document \0\u0001"),
    contentType: "application/octet-stream",
    headers: { "x-upload-key": key ?? "" },
  });
  // The key is accepted, the bytes are not.
  expect(sent.body.error).toBe("unsupported_media_type");

  const shared = await visit.open("/documents", { user: reader, theme: "dark", width: 390 });
  await shared.getByRole("button", { name: /Pumps 1 · shared/ }).click();
  await shared.getByText("orsk.pdf").first().waitFor();
  expect(await shared.getByRole("button", { name: "Delete orsk.pdf" }).count()).toBe(0);
  await checkScreen(shared, "documents-shared");

  await page.getByRole("button", { name: "Actions of collection Pumps" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Pumps 1" }).waitFor({ state: "detached" });
  expect((await user.get("/api/v1/documents")).body.documents).toHaveLength(2);
});

test.each([
  ["light", 1440],
  ["dark", 390],
] as const)(
  "a citation of a web page opens its section with the quote marked, %s at %d",
  async (theme, width) => {
    const user = await visit.register(`web${width}`);
    const handbook = `<!doctype html><h1>Kitchen</h1><p>The oven is cleaned on Fridays.</p>
    <h1>Charges</h1><p>A declined charge is retried once.</p><script>document.title = "never"</script>`;
    const server = createServer((_request, response) => response.end(handbook)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const page = await visit.open("/documents", { user, theme, width });
    await page.getByRole("button", { name: "Add from URL" }).click();
    const dialog = page.getByRole("dialog", { name: "Add from URL" });
    await checkScreen(page, `documents-url-${theme}`);
    await dialog.getByLabel("URL").fill("http://127.0.0.1:9/none");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("could not be fetched").waitFor();
    await dialog
      .getByLabel("URL")
      .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/handbook.html`);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator("[data-status=indexed]").waitFor({ timeout: 50_000 });
    await page.getByLabel("Your question").fill("How often is a declined charge retried?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page
      .getByRole("button", { name: /· section Charges/ })
      .first()
      .click();
    const mark = page.locator("mark", { hasText: "A declined charge is retried once." });
    await mark.waitFor();
    await page.getByText("page 2 of 2").waitFor();
    await checkScreen(page, `documents-text-${theme}`);
    await page.getByRole("button", { name: "Previous page" }).click();
    await page.locator(".text-page", { hasText: "The oven is cleaned on Fridays." }).waitFor();
    expect(await page.locator("mark").count()).toBe(0);
  },
);
