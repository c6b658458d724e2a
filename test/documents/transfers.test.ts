import { expect, test } from "vitest";
import type { Role } from "../../contract/roles.ts";
import { shareApp } from "../support/shared-app.ts";
import { addTeamWorkspace, createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { app, ada, ben } = await shareApp(["ada", "ben"], words.settings);
type User = typeof ada;

const textOf = (name: string) =>
  Array.from(
    { length: 200 },
    (_, n) => `Line ${n} of ${name} tells of the valve number ${n} and its oil.`,
  ).join("\n\n");
let made = 0;
async function add(as: User, name: string): Promise<string> {
  made += 1;
  const answer = await upload(as, Buffer.from(textOf(`${name} ${made}`)), {
    fileName: `${name}.txt`,
    metadata: { title: name, tags: ["valves"] },
  });
  expect(answer.status).toBe(201);
  return answer.body.document_id;
}
const transfer = (as: User, id: string, verb: string, workspaceId: string, dryRun = false) =>
  as.post(`/api/v1/documents/${id}/${verb}${dryRun ? "?dryRun=true" : ""}`, { workspaceId });
const sourcesOf = async (as: User, query: string) =>
  new Set(
    (await as.post("/api/v1/documents/query", { query })).body.sources.map(
      (source: { document_id: string }) => source.document_id,
    ),
  );
const found = async (as: User, q: string) =>
  (await as.get(`/api/search?q=${encodeURIComponent(q)}&types=document`)).text;
const count = async (sql: string) => Number((await app.sql(sql))[0]?.["n"]);
const termsOf = (ownerId: string) =>
  count(`select coalesce(sum(chunks), 0) as n from document_term where owner_id = '${ownerId}'`);
/** Chunks in the word index of this owner; PostgreSQL has the owner in the number of each word. */
const entriesOf = (ownerId: string, term: string) =>
  count(
    process.env["TEST_DATABASE"] === "postgres"
      ? `select count(*) as n from document_word where words @>
           array[cast(cast('x' || substr(md5('${ownerId} ${term}'), 1, 16) as bit(64)) as bigint)]`
      : `select count(*) as n from document_word where document_word match 'scope : "${ownerId}"'`,
  );
const isSettled = async (id: string) =>
  (await count(`select count(*) as n from document where id = '${id}' and former_owner_id is null`)) === 1;
const contentOf = async (id: string) => ({
  pages: await app.sql(
    `select page, text, runs from document_page where document_id = '${id}' order by page`,
  ),
  chunks: await app.sql(
    `select ordinal, text, spans, terms, heading from document_chunk where document_id = '${id}' order by ordinal`,
  ),
  vectors: await app.sql(`select vectors, sentences from document_vectors where document_id = '${id}'`),
  sentences: await app.sql(
    `select ordinal, model_id, vectors from document_sentence where document_id = '${id}' order by ordinal`,
  ),
});

test("a moved document keeps its id, file, passages and vectors, and is found there and no longer here", async () => {
  const source = await createTeamWorkspace(ada);
  const target = await createTeamWorkspace(ada);
  const [here, there] = [inWorkspace(ada, source), inWorkspace(ada, target)];
  const id = await add(here, "Halden manual");
  const { collection_id: collectionId } = (await here.post("/api/v1/collections", { name: "Manuals" })).body;
  await here.put(`/api/v1/collections/${collectionId}/documents/${id}`);
  // The index is in memory before the move.
  expect(await sourcesOf(here, "valve number 17")).toEqual(new Set([id]));
  const [content, terms] = [await contentOf(id), await termsOf(source)];
  expect(terms).toBeGreaterThan(0);
  expect(content.chunks.length).toBeGreaterThan(16);

  const wordsOf = content.chunks.map((chunk) => String(chunk["terms"]).split(" "));
  const term = wordsOf[0]!.find((word) => wordsOf.every((others) => others.includes(word)))!;

  const dry = (await transfer(here, id, "move", target, true)).body;
  expect(dry).toMatchObject({ id: null, conflicts: [], usedBy: [{ kind: "collection", name: "Manuals" }] });
  expect((await transfer(here, id, "move", target)).body).toMatchObject({ ok: true, id, isMoving: true });
  expect((await here.get(`/api/v1/documents/${id}`)).status).toBe(403);
  expect((await there.get(`/api/v1/documents/${id}`)).body).toMatchObject({
    status: "indexed",
    tags: ["valves"],
  });
  expect(await sourcesOf(there, "valve number 17")).toEqual(new Set([id]));
  expect(await sourcesOf(here, "valve number 17")).toEqual(new Set());
  await expect.poll(() => isSettled(id), { timeout: 20_000 }).toBe(true);

  expect(await contentOf(id)).toEqual(content);
  expect([await termsOf(source), await termsOf(target)]).toEqual([0, terms]);
  expect([await entriesOf(source, term), await entriesOf(target, term)]).toEqual([0, content.chunks.length]);
  expect(await found(there, "Halden valve")).toContain(id);
  expect(await found(here, "Halden valve")).not.toContain(id);
  expect((await there.get(`/api/v1/documents/${id}/file`)).text).toContain("Line 199");
  expect((await there.get("/api/v1/documents?tag=valves")).body.documents).toHaveLength(1);
  expect((await here.get("/api/v1/documents")).body.documents).toEqual([]);
  const events = (await there.get("/api/audit-events")).body.events as { action: string }[];
  expect(events.map(({ action }) => action)).toContain("moveDocument");

  // Deleted before its words have followed: nothing of it stays. Its task is not due, so nothing moves them meanwhile.
  await app.sql(
    `update document set owner_id = '${source}', former_owner_id = '${target}' where id = '${id}'`,
  );
  await app.sql(`update task set owner_id = '${source}' where id = '${id}'`);
  expect((await here.delete(`/api/v1/documents/${id}`)).status).toBe(200);
  await expect.poll(() => count(`select count(*) as n from document where id = '${id}'`)).toBe(0);
  expect([await termsOf(source), await termsOf(target)]).toEqual([0, 0]);
  expect([await entriesOf(source, term), await entriesOf(target, term)]).toEqual([0, 0]);
});

test("a copy has the same content without another call of the model; deleting one leaves the other", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const id = await add(ada, "Orsk manual");
  const embedded = words.texts.length;
  expect((await transfer(ada, id, "copy", target, true)).body).toMatchObject({ id: null, conflicts: [] });
  const copied = (await transfer(ada, id, "copy", target)).body;
  const status = async () => (await there.get(`/api/v1/documents/${copied.id}`)).body.status;
  await expect.poll(status, { timeout: 20_000 }).toBe("indexed");
  expect(words.texts.length).toBe(embedded);
  expect(copied.id).not.toBe(id);
  expect(await contentOf(copied.id)).toEqual(await contentOf(id));
  expect((await there.get(`/api/v1/documents/${copied.id}`)).body).toMatchObject({
    title: "Orsk manual",
    tags: ["valves"],
  });
  const terms = await termsOf(target);

  expect((await ada.delete(`/api/v1/documents/${id}`)).status).toBe(200);
  expect((await there.get(`/api/v1/documents/${copied.id}/file`)).text).toContain("Line 199");
  expect(await sourcesOf(there, "valve number 17")).toEqual(new Set([copied.id]));
  expect(await found(there, "Orsk valve")).toContain(copied.id);
  expect(await termsOf(target)).toBe(terms);
  expect(await termsOf(ada.user.id)).toBe(0);
});

test("a copy of a document that is being indexed again reads its own file", async () => {
  const target = await createTeamWorkspace(ada);
  const id = await add(ada, "Busy manual");
  await app.sql(`update task set run_at = 9000000000000000 where id = '${id}'`);
  const embedded = words.texts.length;
  const copied = (await transfer(ada, id, "copy", target)).body;
  const status = async () =>
    (await inWorkspace(ada, target).get(`/api/v1/documents/${copied.id}`)).body.status;
  await expect.poll(status, { timeout: 20_000 }).toBe("indexed");
  expect(words.texts.length).toBeGreaterThan(embedded);
  expect((await contentOf(copied.id)).chunks).toEqual((await contentOf(id)).chunks);
});

test("the same file there, a document that is not indexed and a move that has not ended are conflicts", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const id = await add(ada, "Twice");
  const bytes = Buffer.from((await ada.get(`/api/v1/documents/${id}/file`)).text);
  const twin = (await upload(there, bytes, { fileName: "t.txt" })).body.document_id;
  for (const verb of ["copy", "move"]) {
    const conflicts = [{ kind: "document", id, name: "Twice" }];
    expect((await transfer(ada, id, verb, target, true)).body.conflicts).toEqual(conflicts);
    const refused = await transfer(ada, id, verb, target);
    expect([refused.status, refused.body.details]).toEqual([409, { conflicts }]);
  }
  await there.delete(`/api/v1/documents/${twin}`);
  await app.sql(`update document set status = 'processing' where id = '${id}'`);
  for (const verb of ["copy", "move"])
    expect((await transfer(ada, id, verb, target)).body.details.conflicts).toMatchObject([
      { kind: "ingestion" },
    ]);
  await app.sql(`update document set status = 'indexed', former_owner_id = '${target}' where id = '${id}'`);
  expect((await transfer(ada, id, "move", target)).body.details.conflicts).toMatchObject([{ kind: "move" }]);
  await app.sql(`update document set former_owner_id = null where id = '${id}'`);
  expect((await transfer(ada, id, "move", target)).status).toBe(200);
});

test("a document is copied by a viewer here who is a builder there, and moved by a builder of both", async () => {
  const may = async (verb: "copy" | "move", here: Role, there: Role) => {
    const source = await addTeamWorkspace(app, [
      [ada, "owner"],
      [ben, here],
    ]);
    const target = await addTeamWorkspace(app, [[ben, there]]);
    const id = await add(inWorkspace(ada, source), "Shared");
    return (await transfer(inWorkspace(ben, source), id, verb, target)).status;
  };
  expect(await may("copy", "viewer", "builder")).toBe(200);
  expect(await may("copy", "owner", "operator")).toBe(403);
  expect(await may("move", "operator", "owner")).toBe(403);
  expect(await may("move", "builder", "viewer")).toBe(403);
  expect(await may("move", "builder", "builder")).toBe(200);
});
