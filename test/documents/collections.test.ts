import { expect, test } from "vitest";
import { lines, pdfOf } from "../support/pdf.ts";
import { shareApp } from "../support/shared-app.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { formOf, MULTIPART, upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { alice, bob, mallory } = await shareApp(["alice", "bob", "mallory"], words.settings);

async function add(owner: RegisteredUser, title: string, texts: string[]): Promise<string> {
  const { status, body } = await upload(owner, await pdfOf([lines(texts)]), { metadata: { title } });
  expect(status).toBe(201);
  return body.document_id;
}

const halden = await add(alice, "Halden manual", ["The greatest pressure of the pump is 6 bar."]);
const orsk = await add(alice, "Orsk manual", ["The greatest pressure of the pump is 12 bar."]);
const own = await add(bob, "Own manual", ["The greatest pressure of the pump is 8 bar."]);

const query = "What is the greatest pressure of the pump?";
const ask = (user: RegisteredUser, body: Record<string, unknown>) =>
  user.post("/api/v1/documents/query", { query, ...body });
const documentsIn = (body: { sources: { document_id: string }[] }) =>
  new Set(body.sources.map((source) => source.document_id));

const documentsOf = (output: { sources: { documentId: string }[] }) =>
  new Set(output.sources.map((source) => source.documentId));

async function create(owner: RegisteredUser, body: Record<string, unknown>, documents: string[] = []) {
  const created = await owner.post("/api/v1/collections", body);
  expect(created.status).toBe(201);
  const id: string = created.body.collection_id;
  for (const document of documents)
    expect((await owner.put(`/api/v1/collections/${id}/documents/${document}`)).status).toBe(200);
  return id;
}

test("a collection is created, listed, renamed and deleted, and its documents stay", async () => {
  const created = await alice.post("/api/v1/collections", { name: "  Pumps " });
  expect([created.status, created.body]).toEqual([
    201,
    {
      ok: true,
      collection_id: expect.stringMatching(/^col_/),
      name: "Pumps",
      documents: 0,
      access: "owner",
      owner_name: expect.any(String),
      shared_with: { everyone: false, emails: [] },
      has_upload_key: false,
      created_at: expect.any(String),
    },
  ]);
  const id: string = created.body.collection_id;
  expect((await alice.put(`/api/v1/collections/${id}/documents/${halden}`)).body.documents).toBe(1);
  // A second time changes nothing.
  expect((await alice.put(`/api/v1/collections/${id}/documents/${halden}`)).body.documents).toBe(1);
  expect((await alice.patch(`/api/v1/collections/${id}`, { name: "Old pumps" })).body.name).toBe("Old pumps");
  const list = (await alice.get("/api/v1/collections")).body.collections;
  expect(list).toEqual([expect.objectContaining({ collection_id: id, name: "Old pumps", documents: 1 })]);
  expect((await alice.delete(`/api/v1/collections/${id}/documents/${halden}`)).body.documents).toBe(0);
  await alice.put(`/api/v1/collections/${id}/documents/${halden}`);
  expect((await alice.delete(`/api/v1/collections/${id}`)).status).toBe(200);
  expect((await alice.get(`/api/v1/collections/${id}`)).body.error).toBe("collection_not_found");
  expect((await alice.get(`/api/v1/documents/${halden}`)).status).toBe(200);
});

test("a collection is deleted with its documents only on request", async () => {
  const spare = await add(alice, "Spare", ["A spare page about gaskets."]);
  const id = await create(alice, { name: "Spare" }, [spare]);
  expect((await alice.delete(`/api/v1/collections/${id}?documents=delete`)).status).toBe(200);
  expect((await alice.get(`/api/v1/documents/${spare}`)).body.error).toBe("document_not_found");
});

test("a query by collection searches its documents and no others, together with named documents", async () => {
  const pumps = await create(alice, { name: "Pumps" }, [orsk]);
  const empty = await create(alice, { name: "Empty" });
  expect(documentsIn((await ask(alice, { collection_ids: [pumps] })).body)).toEqual(new Set([orsk]));
  expect((await ask(alice, { collection_ids: [empty] })).body.sources).toEqual([]);
  const both = await ask(alice, { collection_ids: [pumps], document_ids: [halden] });
  expect(documentsIn(both.body)).toEqual(new Set([halden, orsk]));
  const listed = await alice.get(`/api/v1/documents?collection_id=${pumps}`);
  expect(listed.body.documents.map((found: { document_id: string }) => found.document_id)).toEqual([orsk]);
});

test("an upload goes into the collection that its form names", async () => {
  const id = await create(alice, { name: "Inbox" });
  const form = async (collection: string) =>
    formOf([
      { name: "collection_id", value: collection },
      { name: "file", value: await pdfOf([lines(["The valve is made of brass."])]), fileName: "valve.pdf" },
    ]);
  const send = async (user: RegisteredUser, collection: string) =>
    user.call("/api/v1/documents/upload", {
      method: "POST",
      body: await form(collection),
      contentType: MULTIPART,
    });
  const stored = await send(alice, id);
  expect(stored.status).toBe(201);
  expect((await alice.get(`/api/v1/collections/${id}`)).body.documents).toBe(1);
  const refused = await send(mallory, id);
  expect([refused.status, refused.body.error]).toEqual([404, "collection_not_found"]);
  expect((await mallory.get("/api/v1/documents")).body.documents).toEqual([]);
});

test("[S13] [S14] a shared collection is readable by its readers only, and nobody but its owner changes it", async () => {
  const id = await create(alice, { name: "Shared", shared_with: { emails: [bob.email] } }, [halden]);
  const path = `/api/v1/collections/${id}`;
  expect((await bob.get(path)).body).toMatchObject({ access: "reader", documents: 1, shared_with: null });
  expect((await bob.get("/api/v1/collections")).body.collections).toHaveLength(1);
  const answer = await ask(bob, { collection_ids: [id] });
  expect(answer.body.answer).toContain("6 bar");
  const [source] = answer.body.sources;
  expect((await bob.get(`/api/v1/documents/${halden}`)).status).toBe(200);
  expect((await bob.get(`/api/v1/documents/${halden}/file`)).status).toBe(200);
  expect(
    (await bob.get(`/api/v1/documents/${halden}/chunks/${source.chunk_id}`)).body.spans[0].boxes,
  ).toHaveLength(1);
  expect(documentsIn((await ask(bob, { document_ids: [halden] })).body)).toEqual(new Set([halden]));
  // Documents of two owners in one question, and the reader's own list without what others share.
  const both = await ask(bob, { collection_ids: [id], document_ids: [own] });
  expect(documentsIn(both.body)).toEqual(new Set([halden, own]));
  expect(documentsIn((await ask(bob, {})).body)).toEqual(new Set([own]));
  expect((await bob.get("/api/v1/documents")).body.documents).toHaveLength(1);

  for (const change of [
    bob.patch(path, { name: "Mine" }),
    bob.delete(path),
    bob.put(`${path}/documents/${own}`),
    bob.delete(`${path}/documents/${halden}`),
    bob.delete(`/api/v1/documents/${halden}`),
  ])
    expect([(await change).status, (await change).body.error]).toEqual([403, "forbidden"]);

  for (const refused of [
    mallory.get(path),
    mallory.patch(path, { name: "Mine" }),
    mallory.delete(path),
    mallory.put(`${path}/documents/${halden}`),
    ask(mallory, { collection_ids: [id] }),
  ])
    expect([(await refused).status, (await refused).body.error]).toEqual([404, "collection_not_found"]);
  expect((await mallory.get(`/api/v1/documents?collection_id=${id}`)).body.documents).toEqual([]);
  expect((await mallory.get(`/api/v1/documents/${halden}`)).status).toBe(403);
  expect((await ask(mallory, { document_ids: [halden] })).status).toBe(404);

  // Access ends with the share.
  await alice.patch(path, { shared_with: {} });
  expect((await bob.get(path)).status).toBe(404);
  expect((await bob.get(`/api/v1/documents/${halden}`)).status).toBe(403);
});

test("a collection shared with everyone is in every user's list until it is private again", async () => {
  const id = await create(alice, { name: "For all", shared_with: { everyone: true } }, [orsk]);
  expect((await mallory.get("/api/v1/collections")).body.collections).toEqual([
    expect.objectContaining({ collection_id: id, access: "reader" }),
  ]);
  expect((await ask(mallory, { collection_ids: [id] })).body.answer).toContain("12 bar");
  await alice.patch(`/api/v1/collections/${id}`, { shared_with: { everyone: false } });
  expect((await mallory.get("/api/v1/collections")).body.collections).toEqual([]);
});

test("a share with an unknown address, a foreign document or an empty name is refused", async () => {
  const unknown = await alice.post("/api/v1/collections", {
    name: "x",
    shared_with: { emails: ["nobody@example.com"] },
  });
  expect([unknown.status, unknown.body.message]).toEqual([
    400,
    expect.stringContaining("nobody@example.com"),
  ]);
  expect((await alice.post("/api/v1/collections", { name: " " })).status).toBe(400);
  const id = await create(alice, { name: "Mine" });
  expect((await alice.put(`/api/v1/collections/${id}/documents/${own}`)).status).toBe(403);
});

test("a document_query step searches collections that the workflow's owner may read, and no others", async () => {
  const pumps = await create(alice, { name: "Step", shared_with: { emails: [bob.email] } }, [halden]);
  const metadata = {
    steps: [{ stepId: "ask", type: "document_query", query, collectionIds: [pumps] }],
    edges: [],
  };
  const runAs = async (user: RegisteredUser) => {
    const { workflow } = (await user.post("/api/workflows", { name: "Ask", metadata })).body;
    return (await user.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  };
  for (const reader of [alice, bob])
    expect(documentsOf((await runAs(reader)).result.output)).toEqual(new Set([halden]));
  expect((await runAs(mallory)).stepResults[0].error).toMatchObject({ code: "collection_not_found" });
});
