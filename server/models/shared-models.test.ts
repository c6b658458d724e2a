import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createFairQueue } from "../lib/fair-queue.ts";
import { openLanguageModels } from "./open-models.ts";

/** A vendor that holds every request until the test releases it. */
async function useHeldVendor() {
  const held = new Map<string, ServerResponse>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    held.set((JSON.parse(body) as { messages: { content: string }[] }).messages[0]!.content, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const release = (prompt: string): void => {
    held
      .get(prompt)
      ?.writeHead(200, { "content-type": "application/json" })
      .end(
        JSON.stringify({
          choices: [{ message: { role: "assistant", content: `to ${prompt}` }, finish_reason: "stop" }],
        }),
      );
    held.delete(prompt);
  };
  return { held, release, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

test("requests of one owner leave slots to another owner, and each starts in its turn", async () => {
  const { held, release, baseUrl } = await useHeldVendor();
  const { models, close } = openLanguageModels({
    models: [{ provider: "openai-compatible", model: "m", apiKey: "sk-1", baseUrl }],
    timeoutMs: 60_000,
    allowPrivate: true,
    allow: [],
    deny: [],
    queue: createFairQueue({ slots: 2, slotsPerKey: 1, refuse: () => new Error("full") }),
  });
  onTestFinished(close);
  const ask = async (ownerId: string, prompt: string) =>
    (await models.get({ ownerId }).generateText({ prompt })).text;
  const ofAlice = ["a1", "a2", "a3"].map((prompt) => ask("user_a", prompt));
  const ofBob = ask("user_b", "b1");
  await expect.poll(() => [...held.keys()].sort()).toEqual(["a1", "b1"]);
  release("b1");
  expect(await ofBob).toBe("to b1");
  for (const prompt of ["a1", "a2", "a3"]) {
    await expect.poll(() => [...held.keys()]).toEqual([prompt]);
    release(prompt);
  }
  expect(await Promise.all(ofAlice)).toEqual(["to a1", "to a2", "to a3"]);
});

test("a stream counts for its owner, too", async () => {
  const { held, release, baseUrl } = await useHeldVendor();
  const queue = createFairQueue({ slots: 2, slotsPerKey: 1, refuse: () => new Error("full") });
  const { models, close } = openLanguageModels({
    models: [{ provider: "openai-compatible", model: "m", apiKey: "sk-1", baseUrl }],
    timeoutMs: 60_000,
    allowPrivate: true,
    allow: [],
    deny: [],
    queue,
  });
  onTestFinished(close);
  const parts = models.get({ ownerId: "user_a" }).streamText({ prompt: "a1" })[Symbol.asyncIterator]();
  const first = parts.next().catch(() => undefined);
  await expect.poll(() => held.size).toBe(1);
  expect([queue.running("user_a"), queue.running()]).toEqual([1, 1]);
  release("a1");
  await first;
  expect(queue.running()).toBe(0);
});
