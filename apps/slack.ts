import { defineApp } from "./define-app.ts";

const channel = {
  type: "string",
  title: "Channel",
  description: "The id of a channel. The app must be a member of it.",
  required: true,
  options: "channels",
  example: "C024BE91L",
} as const;

const text = {
  type: "string",
  title: "Text",
  description: "The message, in Slack's mrkdwn: *bold*, _italic_, <https://example.com|link>.",
  format: "multiline",
  required: true,
} as const;

const message = { channel: "{{body.channel}}", ts: "{{body.ts}}", message: "{{body.message}}" };

export const slack = defineApp({
  id: "slack",
  title: "Slack",
  description: "Send and read messages of channels and people.",
  category: "communication",
  synonyms: ["chat", "message", "notify", "channel"],
  icon: { letters: "Sl", color: "#4a154b" },
  documentation: "https://docs.slack.dev/reference/methods",
  baseUrl: "https://slack.com/api",
  hosts: ["slack.com"],
  auth: [
    {
      kind: "oauth2",
      authorizationUrl: "https://slack.com/oauth/v2/authorize",
      tokenUrl: "https://slack.com/api/oauth.v2.access",
      scopes: [
        "chat:write",
        "channels:read",
        "channels:history",
        "channels:manage",
        "groups:read",
        "groups:history",
        "users:read",
        "users:read.email",
        "reactions:write",
      ],
      scopeSeparator: ",",
      pkce: false,
      help: "Create an app at https://api.slack.com/apps and enter its client id and secret.",
    },
    {
      kind: "bearer",
      title: "Bot token",
      help: "Create an app at https://api.slack.com/apps, install it, and copy the Bot User OAuth Token (xoxb-…).",
    },
  ],
  test: { request: { method: "POST", path: "/auth.test" }, account: "{{body.team}} ({{body.user}})" },
  errors: {
    ok: "{{body.ok}}",
    code: "{{body.error}}",
    words: {
      channel_not_found:
        "Slack knows no such channel, or the app may not see it. Invite the app to the channel.",
      not_in_channel: "The app is not a member of the channel. Invite it with /invite.",
      is_archived: "The channel is archived.",
      msg_too_long: "The message is too long. Slack accepts 40,000 characters.",
      no_text: "The message is empty.",
      message_not_found: "There is no message with this timestamp in the channel.",
      cant_update_message: "Only the app's own messages can be changed.",
      users_not_found: "Nobody in the workspace has this email address.",
      name_taken: "A channel with this name exists already.",
      already_reacted: "The app has already added this reaction.",
      missing_scope: "The connection lacks a permission (scope). Connect Slack again.",
      account_inactive: "The token belongs to a deleted user or workspace. Connect Slack again.",
    },
    expired: ["token_expired", "invalid_auth", "token_revoked", "not_authed"],
  },
  options: {
    channels: {
      title: "Channels",
      request: {
        path: "/conversations.list",
        query: {
          types: "public_channel,private_channel",
          exclude_archived: "true",
          limit: "{{pageSize}}",
          cursor: "{{cursor}}",
        },
      },
      items: "{{body.channels}}",
      paging: { kind: "cursor", cursor: "{{body.response_metadata.next_cursor}}", size: 200 },
      value: "{{item.id}}",
      label: "#{{item.name}}",
    },
    users: {
      title: "People",
      request: { path: "/users.list", query: { limit: "{{pageSize}}", cursor: "{{cursor}}" } },
      items: "{{body.members}}",
      paging: { kind: "cursor", cursor: "{{body.response_metadata.next_cursor}}", size: 200 },
      value: "{{item.id}}",
      label: "{{item.real_name}} (@{{item.name}})",
    },
  },
  actions: {
    send_message: {
      title: "Send a message",
      description: "Posts a message to a channel, or as a reply in a thread.",
      synonyms: ["post", "notify", "alert"],
      input: {
        channel,
        text,
        threadTs: {
          type: "string",
          title: "Reply to",
          description: "The timestamp of the message to reply to.",
          advanced: true,
        },
        blocks: {
          type: "array",
          title: "Blocks",
          description: "A layout in Slack's Block Kit.",
          advanced: true,
        },
        unfurlLinks: { type: "boolean", title: "Preview links", advanced: true },
      },
      request: {
        method: "POST",
        path: "/chat.postMessage",
        body: {
          channel: "{{input.channel}}",
          text: "{{input.text}}",
          thread_ts: "{{input.threadTs}}",
          blocks: "{{input.blocks}}",
          unfurl_links: "{{input.unfurlLinks}}",
        },
      },
      output: message,
      sample: {
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
    send_direct_message: {
      title: "Send a direct message",
      description: "Posts a message to one person.",
      synonyms: ["dm", "private message"],
      input: {
        user: { ...channel, title: "Person", description: "The id of a person.", options: "users" },
        text,
      },
      request: {
        method: "POST",
        path: "/chat.postMessage",
        body: { channel: "{{input.user}}", text: "{{input.text}}" },
      },
      output: message,
      sample: {
        channel: "D024BE91L",
        ts: "1503435956.000247",
        message: { text: "Here's a message for you", type: "message", ts: "1503435956.000247" },
      },
    },
    update_message: {
      title: "Change a message",
      description: "Replaces the text of a message of this app.",
      synonyms: ["edit"],
      input: {
        channel,
        ts: { type: "string", title: "Timestamp", required: true, example: "1503435956.000247" },
        text,
      },
      request: {
        method: "POST",
        path: "/chat.update",
        body: { channel: "{{input.channel}}", ts: "{{input.ts}}", text: "{{input.text}}" },
      },
      output: { channel: "{{body.channel}}", ts: "{{body.ts}}", text: "{{body.text}}" },
      sample: { channel: "C123ABC456", ts: "1401383885.000061", text: "Updated text you carefully authored" },
    },
    list_messages: {
      title: "List messages",
      description: "Reads the messages of a channel, the newest first.",
      synonyms: ["history", "read"],
      input: {
        channel,
        oldest: {
          type: "string",
          title: "After",
          description: "Only messages after this timestamp.",
          advanced: true,
        },
        latest: {
          type: "string",
          title: "Before",
          description: "Only messages before this timestamp.",
          advanced: true,
        },
      },
      request: {
        path: "/conversations.history",
        query: {
          channel: "{{input.channel}}",
          oldest: "{{input.oldest}}",
          latest: "{{input.latest}}",
          limit: "{{pageSize}}",
          cursor: "{{cursor}}",
        },
      },
      items: "{{body.messages}}",
      paging: { kind: "cursor", cursor: "{{body.response_metadata.next_cursor}}", size: 200 },
      sample: [
        {
          type: "message",
          user: "U123ABC456",
          text: "I find you punny and would like to smell your nose letter",
          ts: "1512085950.000216",
        },
      ],
    },
    list_channels: {
      title: "List channels",
      description: "Lists the channels that the app can see.",
      input: {},
      request: {
        path: "/conversations.list",
        query: { types: "public_channel,private_channel", limit: "{{pageSize}}", cursor: "{{cursor}}" },
      },
      items: "{{body.channels}}",
      paging: { kind: "cursor", cursor: "{{body.response_metadata.next_cursor}}", size: 200 },
      output: {
        id: "{{item.id}}",
        name: "{{item.name}}",
        isPrivate: "{{item.is_private}}",
        topic: "{{item.topic.value}}",
        members: "{{item.num_members}}",
      },
      sample: [
        {
          id: "C012AB3CD",
          name: "general",
          isPrivate: false,
          topic: "Company-wide announcements",
          members: 4,
        },
      ],
    },
    create_channel: {
      title: "Create a channel",
      description: "Creates a public or private channel.",
      input: {
        name: {
          type: "string",
          title: "Name",
          required: true,
          description: "Lower-case letters, digits and dashes.",
          maxLength: 80,
          example: "launch-2026",
        },
        isPrivate: { type: "boolean", title: "Private", advanced: true },
      },
      request: {
        method: "POST",
        path: "/conversations.create",
        body: { name: "{{input.name}}", is_private: "{{input.isPrivate}}" },
      },
      output: {
        id: "{{body.channel.id}}",
        name: "{{body.channel.name}}",
        isPrivate: "{{body.channel.is_private}}",
      },
      sample: { id: "C0EAQDV4Z", name: "endeavor", isPrivate: false },
    },
    find_user: {
      title: "Find a person by email",
      description: "Returns the person with an email address.",
      synonyms: ["lookup", "user"],
      input: {
        email: {
          type: "string",
          title: "Email",
          format: "email",
          required: true,
          example: "ada@example.com",
        },
      },
      request: { path: "/users.lookupByEmail", query: { email: "{{input.email}}" } },
      output: {
        id: "{{body.user.id}}",
        name: "{{body.user.name}}",
        realName: "{{body.user.real_name}}",
        email: "{{body.user.profile.email}}",
      },
      sample: {
        id: "W012A3CDE",
        name: "spengler",
        realName: "Egon Spengler",
        email: "spengler@ghostbusters.example.com",
      },
    },
    add_reaction: {
      title: "Add a reaction",
      description: "Adds an emoji to a message.",
      synonyms: ["emoji"],
      input: {
        channel,
        ts: { type: "string", title: "Timestamp", required: true, example: "1503435956.000247" },
        emoji: {
          type: "string",
          title: "Emoji",
          description: "Its name without colons.",
          required: true,
          example: "thumbsup",
        },
      },
      request: {
        method: "POST",
        path: "/reactions.add",
        body: { channel: "{{input.channel}}", timestamp: "{{input.ts}}", name: "{{input.emoji}}" },
      },
      sample: { ok: true },
    },
  },
  triggers: {
    new_message: {
      title: "New message",
      description: "Starts a run for each new message of a channel.",
      input: { channel },
      polling: {
        request: {
          path: "/conversations.history",
          query: {
            channel: "{{input.channel}}",
            oldest: "{{since}}",
            limit: "{{pageSize}}",
            cursor: "{{cursor}}",
          },
        },
        items: "{{body.messages}}",
        paging: { kind: "cursor", cursor: "{{body.response_metadata.next_cursor}}", size: 100 },
        key: "{{item.ts}}",
        name: "{{item.text}}",
        order: "newest_first",
        since: "{{item.ts}}",
      },
      sample: {
        type: "message",
        user: "U123ABC456",
        text: "I find you punny and would like to smell your nose letter",
        ts: "1512085950.000216",
      },
    },
  },
});
