import { slack } from "../../apps/slack.ts";
import fixture from "./fixtures/slack.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const message = {
  type: "message",
  user: "U123ABC456",
  text: "I find you punny and would like to smell your nose letter",
  ts: "1512085950.000216",
};
const older = {
  type: "message",
  user: "U222BBB222",
  text: "What, you want to smell my shoes better?",
  ts: "1512104434.000490",
};
const general = {
  id: "C012AB3CD",
  name: "general",
  is_private: false,
  topic: { value: "Company-wide announcements" },
  num_members: 4,
};
const random = {
  id: "C061EG9T2",
  name: "random",
  is_private: false,
  topic: { value: "Non-work banter" },
  num_members: 4,
};
const egon = {
  id: "W012A3CDE",
  name: "spengler",
  real_name: "Egon Spengler",
  profile: { email: "spengler@ghostbusters.example.com" },
};

const page = (body: object, next: string) => ({
  body: { ok: true, ...body, response_metadata: { next_cursor: next } },
});

export const slackExamples: AppExamples = {
  app: slack,
  source: "https://docs.slack.dev/reference/methods",
  fixture,
  test: {
    body: { ok: true, url: "https://subarachnoid.slack.com/", team: "Subarachnoid Workspace", user: "grace" },
    account: "Subarachnoid Workspace (grace)",
  },
  actions: {
    send_message: {
      input: {
        channel: "C123456",
        text: "Here's a message for you",
        threadTs: "1503435955.000100",
        blocks: [{ type: "divider" }],
        unfurlLinks: false,
      },
      answer: {
        body: {
          ok: true,
          channel: "C123456",
          ts: "1503435956.000247",
          message: {
            text: "Here's a message for you",
            username: "ecto1",
            type: "message",
            ts: "1503435956.000247",
          },
        },
      },
    },
    send_direct_message: {
      input: { user: "U024BE7LH", text: "Here's a message for you" },
      answer: {
        body: {
          ok: true,
          channel: "D024BE91L",
          ts: "1503435956.000247",
          message: { text: "Here's a message for you", type: "message", ts: "1503435956.000247" },
        },
      },
    },
    update_message: {
      input: { channel: "C123ABC456", ts: "1401383885.000061", text: "Updated text you carefully authored" },
      answer: {
        body: {
          ok: true,
          channel: "C123ABC456",
          ts: "1401383885.000061",
          text: "Updated text you carefully authored",
        },
      },
    },
    list_messages: {
      input: { channel: "C123ABC456", oldest: "1512085861.000543" },
      pages: [
        page({ messages: [message], has_more: true }, "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz"),
        page({ messages: [older] }, ""),
      ],
    },
    list_channels: {
      pages: [page({ channels: [general] }, "dGVhbTpDMDYxRkE1UEI="), page({ channels: [random] }, "")],
    },
    create_channel: {
      input: { name: "endeavor", isPrivate: false },
      answer: { body: { ok: true, channel: { id: "C0EAQDV4Z", name: "endeavor", is_private: false } } },
    },
    find_user: {
      input: { email: "spengler@ghostbusters.example.com" },
      answer: { body: { ok: true, user: egon } },
    },
    add_reaction: {
      input: { channel: "C123ABC456", ts: "1401383885.000061", emoji: "thumbsup" },
      answer: { body: { ok: true } },
    },
  },
  options: {
    channels: {
      pages: [page({ channels: [general] }, "dGVhbTpDMDYxRkE1UEI="), page({ channels: [random] }, "")],
      first: { value: "C012AB3CD", label: "#general" },
    },
    users: {
      pages: [page({ members: [egon] }, "dXNlcjpVMEc5V0ZYTlo="), page({ members: [] }, "")],
      first: { value: "W012A3CDE", label: "Egon Spengler (@spengler)" },
    },
  },
  triggers: {
    new_message: {
      kind: "polling",
      input: { channel: "C123ABC456" },
      pages: [
        page({ messages: [message] }, "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz"),
        page({ messages: [older] }, ""),
      ],
    },
  },
  errors: [
    {
      body: { ok: false, error: "channel_not_found" },
      says: "Slack: Slack knows no such channel, or the app may not see it. Invite the app to the channel.",
    },
    { body: { ok: false, error: "ekm_access_denied" }, says: "Slack: ekm_access_denied" },
  ],
  expired: { body: { ok: false, error: "token_expired" } },
};
