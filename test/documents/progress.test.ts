import { expect, test } from "vitest";
import { lines, pdfOf } from "../support/pdf.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { connect } from "../teams/team-app.ts";
import { upload } from "./upload.ts";

test("a socket client receives the progress of a document until it is indexed", async () => {
  const app = await useTestApp();
  const address = await app.listen();
  const ada = await registerUser(app, "ada");
  const pages = Array.from({ length: 30 }, (_, page) =>
    lines([`Page ${page} says that valve ${page} opens at ${page} bar.`]),
  );
  const { status, body } = await upload(ada, await pdfOf(pages), { query: "?async=true" });
  expect(status).toBe(202);
  const client = await connect(address, ada.token);
  const documentId: string = body.document_id;
  const begun = await client.ask("watch_document", { documentId });
  expect(begun).toMatchObject({ ok: true, documentId });
  const standing = () => client.events.findLast(([name]) => name === "DOCUMENT_STATUS")?.[1] ?? begun;
  await expect
    .poll(standing, { timeout: 60_000 })
    .toMatchObject({ status: "indexed", pages: 30, pagesDone: 30 });
  expect(await client.ask("unwatch_document", { documentId })).toEqual({ ok: true });

  const eve = await registerUser(app, "eve");
  const stranger = await connect(address, eve.token);
  expect(await stranger.ask("watch_document", { documentId })).toMatchObject({
    ok: false,
    error: "forbidden",
  });
  expect(await stranger.ask("watch_document", { documentId: "doc_none" })).toMatchObject({
    ok: false,
    error: "document_not_found",
  });
});
