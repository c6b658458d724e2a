import { afterAll, beforeEach, expect, test } from "vitest";
import type { DocumentQueryEvent } from "../../contract/documents.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { startStubModelServer, stubModelSettings } from "../support/stub-model-server.ts";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import { upload } from "./upload.ts";
import { serverSentEvents } from "../support/server-sent-events.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const model = await startStubModelServer();
const plain = await createTestApp(words.settings);
const withModel = await createTestApp({ ...words.settings, ...stubModelSettings(model) });
afterAll(async () => {
  await plain.close();
  await withModel.close();
  await model.close();
});
beforeEach(() => void model.requests.splice(0));

const TEXTS = ["The greatest pressure of the pump is 6 bar.", "Its motor is quiet and needs 1,100 watts."];
const query = "What is the greatest pressure of the pump?";

async function readerOf(app: TestApp): Promise<{ base: string; user: RegisteredUser }> {
  const base = await app.listen();
  const user = await registerUser(app, "ada");
  expect((await upload(user, await pdfOf([lines(TEXTS)]))).status).toBe(201);
  return { base, user };
}
const extractive = await readerOf(plain);
const grounded = await readerOf(withModel);

async function stream({ base, user }: typeof extractive, body: object, path = "", signal?: AbortSignal) {
  return fetch(`${base}/api/v1/documents/query${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${user.token}`,
      "content-type": "application/json",
      ...(path === "" && { accept: "text/event-stream" }),
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const eventsOf = (response: Response) => serverSentEvents<DocumentQueryEvent>(response);

async function allOf(response: Response): Promise<DocumentQueryEvent[]> {
  const events: DocumentQueryEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

const textOf = (events: readonly DocumentQueryEvent[]) =>
  events.map((event) => (event.event === "text" ? event.text : "")).join("");

test.each(["", "?stream=true"])(
  "a streamed answer has its sources first and ends with the response %s",
  async (path) => {
    const events = await allOf(await stream(extractive, { query }, path));
    const { body } = await extractive.user.post("/api/v1/documents/query", { query });
    expect(events[0]).toEqual({ event: "sources", resolved_query: query, sources: body.sources });
    expect(events.filter(({ event }) => event === "text").length).toBeGreaterThan(1);
    expect(textOf(events)).toBe(body.answer);
    expect(events.at(-1)).toEqual({ event: "finished", ...body });
  },
);

test("a model's answer arrives by sentences, and only those that a cited passage supports", async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  model.answerWith({
    text: "The pump has a greatest pressure of 6 bar [1]. It was built by 4711 workers in Paris [1]. Its motor needs 1,100 watts [1].",
    gate,
  });
  const events: DocumentQueryEvent[] = [];
  for await (const event of eventsOf(await stream(grounded, { query }))) {
    events.push(event);
    // The model has written only the first half.
    if (event.event === "text") release();
  }
  expect(events.map(({ event }) => event)).toEqual(["sources", "text", "text", "finished"]);
  expect(textOf(events)).toBe(
    "The pump has a greatest pressure of 6 bar [1]. Its motor needs 1,100 watts [1].",
  );
  expect(events.at(-1)).toMatchObject({ answer: textOf(events), answered_by: expect.stringContaining("/") });
});

test("the numbers of a streamed answer are those of the first sources to the end, best first", async () => {
  const user = await registerUser(withModel, "ben");
  const documents = [
    "The greatest pressure of the pump is 6 bar.",
    "The motor of the pump needs 1,100 watts.",
  ];
  for (const text of documents)
    expect((await upload(user, await pdfOf([lines([text])]), { metadata: { title: text } })).status).toBe(
      201,
    );
  model.answerWith("The motor of the pump needs 1,100 watts [2].");
  const events = await allOf(await stream({ base: grounded.base, user }, { query }));
  const offered = events[0] as Extract<DocumentQueryEvent, { event: "sources" }>;
  expect(offered.sources.map(({ title }) => title)).toEqual(documents);
  const finished = events.at(-1) as Extract<DocumentQueryEvent, { event: "finished" }>;
  expect([textOf(events), finished.answer]).toEqual([
    "The motor of the pump needs 1,100 watts [2].",
    "The motor of the pump needs 1,100 watts [2].",
  ]);
  expect(finished.sources.map(({ title }) => title)).toEqual(documents);
  const [best, cited] = finished.sources;
  expect(best!.relevance).toBeGreaterThanOrEqual(cited!.relevance);
  // Sources after the last one that is cited are left out.
  model.answerWith("The greatest pressure of the pump is 6 bar [1].");
  const { body } = await user.post("/api/v1/documents/query", { query });
  expect(body.sources.map(({ title }: { title: string }) => title)).toEqual(documents.slice(0, 1));
});

test("a client that leaves ends the call of the model", async () => {
  model.answerWith({
    text: "The pump has a greatest pressure of 6 bar [1]. More [1].",
    gate: new Promise(() => undefined),
  });
  const gone = new AbortController();
  const response = await stream(grounded, { query }, "", gone.signal);
  for await (const { event } of eventsOf(response)) if (event === "sources") break;
  await expect.poll(() => model.requests.length).toBe(1);
  gone.abort();
  await expect.poll(() => model.requests[0]?.wasAborted()).toBe(true);
});

test("an error before the first event is a response, a later one an event", async () => {
  const unknown = await stream(grounded, { query, document_ids: ["doc_unknown"] });
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: "document_not_found" }]);
  expect((await stream(grounded, { query: "" })).status).toBe(400);
  model.answerWith({ status: 401 });
  const events = await allOf(await stream(grounded, { query }));
  expect(events.map(({ event }) => event)).toEqual(["sources", "failed"]);
  expect(events.at(-1)).toMatchObject({ error: "model_failed" });
});

test("a follow-up is streamed with the question that is answered", async () => {
  const history = [{ question: "What is the greatest pressure of the Orsk pump?", answer: "12 bar" }];
  const [first] = await allOf(await stream(extractive, { query: "and the Halden?", history }));
  expect(first).toMatchObject({ resolved_query: "What is the greatest pressure of the Halden pump?" });
});

test("a model that compares gets passages of each document with its title", async () => {
  const other = ["The greatest pressure of the pump is 12 bar."];
  const metadata = { title: "Orsk manual" };
  expect((await upload(grounded.user, await pdfOf([lines(other)]), { metadata })).status).toBe(201);
  model.answerWith("One pump has 6 bar [1]. The other pump has 12 bar [2].");
  const question = "Compare the pressure in the manual and the Orsk manual";
  await grounded.user.post("/api/v1/documents/query", { query: question });
  const prompt = JSON.stringify(model.requests[0]?.body.messages);
  expect(prompt).toMatch(/document=\\"manual\\"/);
  expect(prompt).toMatch(/document=\\"Orsk manual\\"/);
});

test("an agent's chat answers from the documents of its collection", async () => {
  const { base, user } = grounded;
  const { collection_id: id } = (await user.post("/api/v1/collections", { name: "Pumps" })).body;
  const pdf = await pdfOf([lines(["The Vardo pump has a greatest pressure of 21 bar."])]);
  const { document_id: documentId } = (await upload(user, pdf)).body;
  await user.put(`/api/v1/collections/${id}/documents/${documentId}`);
  const tools = { workflows: [], documents: [], collections: [id] };
  const { agent } = (await user.post("/api/agents", { name: "Pump expert", tools })).body;
  model.answerWith(
    {
      toolCalls: [
        { name: "ask_documents", arguments: { query: "What is the greatest pressure of the pump?" } },
      ],
    },
    "The Vardo pump has a greatest pressure of 21 bar [1].",
    "It has 21 bar.",
  );
  const response = await fetch(`${base}/api/agents/${agent.id}/chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: "How much pressure?" }] }),
  });
  const text = await response.text();
  const [, result] = /^event: tool_result\ndata: (.*)$/m.exec(text) ?? [];
  const { output } = JSON.parse(result ?? "{}") as {
    output: { output: { sources: { documentId: string }[] } };
  };
  expect(output.output.sources.map((source) => source.documentId)).toEqual([documentId]);
  expect(text).toContain("It has 21 bar.");
});

/** A chat that a single `document_query` step answers. */
async function chatOf({ user }: typeof extractive, slug: string) {
  const steps = [
    { stepId: "ask", type: "document_query", query: "{{input.message}}", history: "{{input.history}}" },
  ];
  const { workflow } = (await user.post("/api/workflows", { name: "Ask", metadata: { steps } })).body;
  const trigger = { kind: "chat", workflowId: workflow.id, settings: { slug } };
  expect((await user.post("/api/triggers", trigger)).status).toBe(201);
}

let sent = 0;
async function say({ base }: typeof extractive, slug: string, message: string) {
  const response = await fetch(`${base}/api/chats/${slug}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ conversationId: "c".repeat(24), messageId: `m${++sent}`, message }),
  });
  const events: { event: string; text?: string }[] = [];
  for await (const event of serverSentEvents<{ event: string; text?: string }>(response)) events.push(event);
  return { events, text: events.at(-1)?.text ?? "" };
}

test("visitors of a chat ask the documents of its workflow: streamed, with the page, and follow-ups", async () => {
  await chatOf(extractive, "manual");
  const { events, text } = await say(extractive, "manual", "What is the greatest pressure of the pump?");
  expect(text).toContain("“The greatest pressure of the pump is 6 bar.” (manual, page 1)");
  const parts = events.filter(({ event }) => event === "text");
  expect(parts.map((part) => part.text).join("")).toBe(text);
  await say(extractive, "manual", "and its motor?");
  const { tasks } = (await extractive.user.get("/api/tasks")).body;
  const { task } = (await extractive.user.get(`/api/tasks/${tasks[0].id}`)).body;
  expect(task.result.output.resolvedQuery).toBe("Its motor of the pump?");
});

test("a model's answer in a chat lists the pages that it cites by number", async () => {
  await chatOf(grounded, "pumps");
  model.answerWith("The greatest pressure of the pump is 6 bar [1].");
  const { text } = await say(grounded, "pumps", "Which greatest pressure does the pump of 6 bar have?");
  expect(text).toMatch(/^The greatest pressure of the pump is 6 bar \[1\]\.\n\n\[1\] .*manual, page 1$/);
});

test("a message that is longer than a question may be is searched for by its beginning, cut at a word", async () => {
  await chatOf(extractive, "long");
  const message = "What is the greatest pressure of the pump? ".repeat(120);
  const { text } = await say(extractive, "long", message);
  expect(text).toContain("“The greatest pressure of the pump is 6 bar.” (manual, page 1)");
  const { tasks } = (await extractive.user.get("/api/tasks")).body;
  const { task } = (await extractive.user.get(`/api/tasks/${tasks[0].id}`)).body;
  const asked: string = task.result.output.resolvedQuery;
  expect([message.slice(0, asked.length), message[asked.length]]).toEqual([asked, " "]);
  expect(asked.length).toBeLessThanOrEqual(4000);
  expect(asked.length).toBeGreaterThan(3980);
});
