import { expect, test } from "vitest";
import { createAgentCards } from "./agent-cards.ts";

/** Reads cards from servers of which each returns `card`, and counts the requests. */
function openCards(card: object) {
  const requested: string[] = [];
  const cards = createAgentCards({
    egress: {
      fetch(url) {
        requested.push(String(url));
        return Promise.resolve({
          status: 200,
          headers: {},
          body: Buffer.from(JSON.stringify(card)),
          url: "",
        });
      },
    },
    clock: { now: () => 0, monotonic: () => 0 },
  });
  return { cards, requested };
}

const interfaceAt = (url: string) => [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];

test("cards share four million characters of memory: the one read longest ago is read again", async () => {
  const skills = Array.from({ length: 100 }, () => ({ name: "x".repeat(3000) }));
  const { cards, requested } = openCards({ supportedInterfaces: interfaceAt("http://rpc/"), skills });
  const urls = Array.from({ length: 25 }, (_, n) => `http://agent-${n}/card.json`);
  for (const url of urls) await cards.find(url);
  expect((await cards.find(urls.at(-1)!))?.skills[0]).toBe("x".repeat(2000));
  expect(requested).toEqual(urls);
  await cards.find(urls[0]!);
  expect(requested).toEqual([...urls, urls[0]]);
});

test("a card with a very long address, or thousands of credential headers, is not kept as it came", async () => {
  const long = openCards({ supportedInterfaces: interfaceAt(`http://rpc/${"x".repeat(5000)}`) });
  expect(await long.cards.find("http://agent/card.json")).toBe(undefined);
  const securitySchemes = Object.fromEntries(
    Array.from({ length: 5000 }, (_, n) => [
      `s${n}`,
      { apiKeySecurityScheme: { location: "header", name: `X-Key-${n}` } },
    ]),
  );
  const many = openCards({ supportedInterfaces: interfaceAt("http://rpc/"), securitySchemes });
  expect((await many.cards.find("http://agent/card.json"))?.credentialHeaders).toHaveLength(20);
});
