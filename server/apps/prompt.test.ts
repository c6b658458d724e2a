import { expect, test } from "vitest";
import { describeApps } from "./prompt.ts";

test("apps are named, and those that the description mentions are explained with their inputs", () => {
  const silent = describeApps("Wait a minute, then write a file");
  expect(silent).toContain("slack");
  expect(silent).not.toContain("send_message");
  const slack = describeApps("When an order is paid, tell the team in Slack");
  expect(slack).toContain("  send_message(channel!, text!, threadTs, blocks, unfurlLinks)");
  expect(slack).not.toContain("create_issue");
});

test("the words about apps stay short, whatever is mentioned", () => {
  expect(describeApps("Nothing of this").length).toBeLessThan(600);
  const all = "slack github notion airtable gmail stripe hubspot jira linear shopify twilio telegram";
  expect(describeApps(all).length).toBeLessThan(8000);
});
