import { expect, test } from "vitest";
import { triggerOf } from "./trigger-of.ts";

test.each([
  ["Every morning fetch https://example.com/sales and mail it to me", "schedule", "0 8 * * *"],
  ["Every morning at 9am, fetch the sales", "schedule", "0 9 * * *"],
  ["Send a report every weekday at 17:30", "schedule", "30 17 * * 1-5"],
  ["On Mondays at noon, ask for the status", "schedule", "0 12 * * 1"],
  ["Monitor https://example.com every 5 minutes", "schedule", "*/5 * * * *"],
  ["Archive the files monthly", "schedule", "0 8 1 * *"],
  ["Clean up every 2 hours", "schedule", "0 */2 * * *"],
])("%j asks for a schedule", (prompt, kind, cron) => {
  expect(triggerOf(prompt)).toMatchObject({ kind, cron });
});

test.each([
  ["When there is a new item in the feed https://example.com/feed.xml, summarise it.", "rss"],
  ["When a mail arrives, classify it and save it", "email"],
  ["Whenever a new e-mail lands in the inbox, sort it every day", "email"],
  ["When someone chats, answer with a language model", "chat"],
  ["When somebody fills in the form, save the answers", "form"],
  ["As soon as a payment is received, write it to payments.json", "webhook"],
  ["When a new order arrives, if the total is over 1000, ask the manager", "webhook"],
])("%j asks for another trigger: %s", (prompt, kind) => {
  expect(triggerOf(prompt)).toMatchObject({
    kind,
    text: expect.stringMatching(/^(?:When|Whenever|As soon)/),
  });
});

test("a feed keeps its address, also one outside of the clause", () => {
  const url = "https://example.com/feed.xml";
  expect(triggerOf(`When a new item in the feed ${url} appears, mail it.`)).toMatchObject({ url });
  expect(triggerOf(`Read ${url}. When the feed has news, mail it.`)).toMatchObject({ url });
});

test.each([
  "Fetch https://example.com/orders every time I run it and save it",
  "Summarise each item and mail the result to a@example.com",
  "Ask the customer for approval, then write the result to orders.json",
])("%j asks for none", (prompt) => {
  expect(triggerOf(prompt)).toBeUndefined();
});
