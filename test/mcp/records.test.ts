import { expect, test } from "vitest";
import { shareApp } from "../support/shared-app.ts";
import { stubModelSettings, useStubModelServer } from "../support/stub-model-server.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { makeAgents, makeTeam, readSession, speakerOf } from "../teams/team-app.ts";
import { upload } from "../documents/upload.ts";
import { connectClient, createKey, expose } from "./mcp-app.ts";

test("an agent and a team are tools, whose runs have the ids of the API", async () => {
  const stub = await useStubModelServer();
  stub.answerWith((request) => `${speakerOf(request)} has spoken`);
  const app = await useTestApp({ ...stubModelSettings(stub), TEAM_JOIN_WAIT_MS: "600000" });
  const ada = await registerUser(app, "ada");
  const agents = await makeAgents(ada, "Ann", "Ben");
  await ada.patch(`/api/agents/${agents[0]}`, { description: "Answers questions." });
  await expose(ada, "agent", agents[0]!, "ask-ann");
  await expose(ada, "team", (await makeTeam(ada, { agents, topology: "linear" })).id, "crew");
  const client = await connectClient(await app.listen(), {
    version: "2026-07-28",
    key: await createKey(ada),
  });

  const { tools } = await client.listTools();
  expect(tools).toMatchObject([
    {
      name: "ask-ann",
      title: "Ann",
      inputSchema: { required: ["message"] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    { name: "crew", title: "Crew", inputSchema: { required: ["objective"] } },
  ]);

  const answer = await client.callTool({ name: "ask-ann", arguments: { message: "How are you?" } });
  expect(answer).toMatchObject({ content: [{ text: "Ann has spoken" }] });
  const { body } = await ada.get(`/api/tasks/${String(answer._meta?.["baton/taskId"])}`);
  expect(body.task).toMatchObject({ trigger: "mcp", status: "completed" });
  const empty = await client.callTool({ name: "ask-ann", arguments: {} });
  expect(empty).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("message") }] });

  const progress: string[] = [];
  const result = await client.callTool(
    { name: "crew", arguments: { objective: "Write a poem" } },
    { onprogress: ({ message = "" }) => void progress.push(message) },
  );
  const sessionId = String(result._meta?.["baton/taskId"]);
  expect(sessionId).toMatch(/^sess_/);
  expect(JSON.stringify(result.content)).toContain("Ben has spoken");
  expect(progress).toContain(`${agents[1]}: agent result`);
  expect((await readSession(ada, sessionId)).objective).toBe("Write a poem");
});

const { app, alice } = await shareApp(["alice"]);
const url = await app.listen();

test("documents are a search tool with quotes, and resources by page, once they are switched on", async () => {
  const file = Buffer.from("# Handbook\n\nThe office in Lisbon opens at nine in the morning.\n");
  const { body: uploaded } = await upload(alice, file, { metadata: { title: "Handbook" } });
  const uri = `baton://documents/${uploaded.document_id}`;
  const client = await connectClient(url, { version: "2026-07-28", key: await createKey(alice) });
  expect((await client.listResources()).resources).toEqual([]);
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });

  await expose(alice, "documents", "all");
  const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
  expect(tools).toMatchObject([{ name: "search_documents", annotations: { readOnlyHint: true } }]);
  const found = await client.callTool({
    name: "search_documents",
    arguments: { question: "When does the office in Lisbon open?" },
  });
  expect(found).toMatchObject({
    structuredContent: {
      confidence: "high",
      sources: [
        { uri: `${uri}/pages/1`, title: "Handbook", page: 1, quote: expect.stringContaining("nine") },
      ],
    },
  });
  const unknown = await client.callTool({
    name: "search_documents",
    arguments: { question: "When?", collection: "col_unknown" },
  });
  expect(unknown).toMatchObject({
    isError: true,
    content: [{ text: 'There is no collection "col_unknown".' }],
  });

  const { resources } = await client.listResources(undefined, { cacheMode: "refresh" });
  expect(resources).toMatchObject([{ uri, title: "Handbook", mimeType: "text/plain" }]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri: `${uri}/pages/1`, text: expect.stringContaining("Lisbon") }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: "baton://documents/{documentId}/pages/{page}" }]);
  await expect(client.readResource({ uri: `${uri}/pages/2` })).rejects.toMatchObject({ code: -32_602 });
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "baton://documents/{documentId}/pages/{page}" },
    argument: { name: "documentId", value: "handb" },
  });
  expect(completion.values).toEqual([uploaded.document_id]);

  const bob = await registerUser(app, "bob");
  await expose(bob, "documents", "all");
  const other = await connectClient(url, { version: "2025-11-25", key: await createKey(bob) });
  expect((await other.listResources()).resources).toEqual([]);
  await expect(other.readResource({ uri })).rejects.toThrow("Resource not found");
});
