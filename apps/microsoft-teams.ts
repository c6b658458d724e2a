import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";
import { microsoftAuth, microsoftErrors } from "./microsoft-auth.ts";

const team: AppField = { type: "string", title: "Team", required: true, options: "teams" };
const channel: AppField = {
  type: "string",
  title: "Channel",
  required: true,
  options: "channels",
  dependsOn: ["team"],
  example: "19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2",
};
const chat: AppField = { type: "string", title: "Chat", required: true, options: "chats" };
const messageId: AppField = {
  type: "string",
  title: "Message",
  description: "The id of the message.",
  required: true,
};
const content: AppField = { type: "string", title: "Text", format: "multiline", required: true };
const contentType: AppField = {
  type: "string",
  title: "Format",
  enum: ["text", "html"],
  default: "text",
  advanced: true,
};

const body = { body: { contentType: "{{input.contentType}}", content: "{{input.content}}" } };
const message = {
  id: "{{body.id}}",
  createdAt: "{{body.createdDateTime}}",
  url: "{{body.webUrl}}",
  content: "{{body.body.content}}",
};
const messageItem = {
  id: "{{item.id}}",
  createdAt: "{{item.createdDateTime}}",
  from: "{{item.from.user.displayName}}",
  content: "{{item.body.content}}",
  url: "{{item.webUrl}}",
};
const messageSample = {
  id: "1616990032035",
  createdAt: "2021-03-29T03:53:52.035Z",
  url: "https://teams.microsoft.com/l/message/19%3A4a95/1616990032035",
  content: "Hello World",
};
const itemSample = { ...messageSample, from: "Robin Kline" };
const list = { kind: "next_url", next: "{{body['@odata.nextLink']}}", size: 50 } as const;
const messages = "/teams/{{input.team}}/channels/{{input.channel}}/messages";

export const microsoftTeams = defineApp({
  id: "microsoft-teams",
  title: "Microsoft Teams",
  description: "Send and read messages of channels and chats.",
  category: "communication",
  synonyms: ["chat", "message", "channel", "notify", "office 365"],
  icon: { letters: "Mt", color: "#6264a7" },
  documentation: "https://learn.microsoft.com/graph/api/resources/teams-api-overview",
  baseUrl: "https://graph.microsoft.com/v1.0",
  hosts: ["graph.microsoft.com"],
  auth: [
    microsoftAuth(
      "Team.ReadBasic.All",
      "Channel.ReadBasic.All",
      "Channel.Create",
      "ChannelMessage.Send",
      "ChannelMessage.Read.All",
      "Chat.ReadWrite",
    ),
  ],
  test: { request: { path: "/me" }, account: "{{body.userPrincipalName}}" },
  errors: microsoftErrors,
  options: {
    teams: {
      title: "Teams",
      request: { path: "/me/joinedTeams" },
      items: "{{body.value}}",
      value: "{{item.id}}",
      label: "{{item.displayName}}",
    },
    channels: {
      title: "Channels",
      request: { path: "/teams/{{input.team}}/channels" },
      items: "{{body.value}}",
      value: "{{item.id}}",
      label: "{{item.displayName}}",
    },
    chats: {
      title: "Chats",
      request: { path: "/me/chats", query: { $top: "{{pageSize}}" } },
      items: "{{body.value}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.topic}} ({{item.chatType}})",
    },
  },
  actions: {
    send_channel_message: {
      title: "Send a message to a channel",
      description: "Posts a message to a channel of a team.",
      synonyms: ["post", "notify", "alert"],
      input: { team, channel, content, contentType },
      request: { method: "POST", path: messages, body },
      output: message,
      sample: messageSample,
    },
    reply_to_message: {
      title: "Reply to a message",
      description: "Answers a message of a channel.",
      input: { team, channel, messageId, content, contentType },
      request: { method: "POST", path: `${messages}/{{input.messageId}}/replies`, body },
      output: message,
      sample: messageSample,
    },
    send_chat_message: {
      title: "Send a chat message",
      description: "Writes to one of your chats.",
      synonyms: ["direct message", "dm"],
      input: { chat, content, contentType },
      request: { method: "POST", path: "/chats/{{input.chat}}/messages", body },
      output: message,
      sample: messageSample,
    },
    list_channel_messages: {
      title: "List messages of a channel",
      description: "Reads the messages of a channel, the newest first.",
      synonyms: ["history", "read"],
      input: { team, channel },
      request: { path: messages, query: { $top: "{{pageSize}}" } },
      items: "{{body.value}}",
      paging: list,
      output: messageItem,
      sample: [itemSample],
    },
    list_channels: {
      title: "List channels",
      description: "Lists the channels of a team.",
      input: { team },
      request: { path: "/teams/{{input.team}}/channels" },
      items: "{{body.value}}",
      output: { id: "{{item.id}}", name: "{{item.displayName}}", url: "{{item.webUrl}}" },
      sample: [
        {
          id: "19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2",
          name: "General",
          url: "https://teams.microsoft.com/l/channel/19%3A4a95",
        },
      ],
    },
    create_channel: {
      title: "Create a channel",
      description: "Adds a channel to a team.",
      input: {
        team,
        name: { type: "string", title: "Name", required: true, maxLength: 50 },
        description: { type: "string", title: "Description", advanced: true },
      },
      request: {
        method: "POST",
        path: "/teams/{{input.team}}/channels",
        body: {
          displayName: "{{input.name}}",
          description: "{{input.description}}",
          membershipType: "standard",
        },
      },
      output: { id: "{{body.id}}", name: "{{body.displayName}}", url: "{{body.webUrl}}" },
      sample: {
        id: "19:4b6bed8d24574f6a9e436813cb2617d8@thread.tacv2",
        name: "Architecture Discussion",
        url: "https://teams.microsoft.com/l/channel/19%3A4b6b",
      },
    },
  },
  triggers: {
    new_channel_message: {
      title: "New message in a channel",
      description: "Starts a run for each new message of a channel.",
      input: { team, channel },
      polling: {
        request: { path: messages, query: { $top: "{{pageSize}}" } },
        items: "{{body.value}}",
        paging: list,
        key: "{{item.id}}",
        name: "{{item.body.content}}",
        order: "newest_first",
        output: messageItem,
      },
      sample: itemSample,
    },
  },
});
