import { microsoftTeams } from "../../apps/microsoft-teams.ts";
import type { AppExamples } from "./support/app-examples.ts";

const team = "fbe2bf47-16c8-47cf-b4a5-4b9b187c508b";
const channel = "19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2";
const chat = "19:2da4c29f6d7041eca70b638b43d45437@thread.v2";
const path = `/v1.0/teams/${team}/channels/19%3A4a95f7d8db4c4e7fae857bcebe0623e6%40thread.tacv2/messages`;
const message = {
  id: "1616990032035",
  createdDateTime: "2021-03-29T03:53:52.035Z",
  webUrl: "https://teams.microsoft.com/l/message/19%3A4a95/1616990032035",
  from: { user: { displayName: "Robin Kline" } },
  body: { contentType: "text", content: "Hello World" },
};
const content = { content: "Hello World", contentType: "text" };
const body = { body: { contentType: "text", content: "Hello World" } };
const pages: [object, object] = [
  { body: { value: [message], "@odata.nextLink": `https://graph.microsoft.com${path}?$skiptoken=1` } },
  { body: { value: [{ ...message, id: "1616990171266" }] } },
];
const general = {
  id: channel,
  displayName: "General",
  webUrl: "https://teams.microsoft.com/l/channel/19%3A4a95",
};

export const microsoftTeamsExamples: AppExamples = {
  app: microsoftTeams,
  source: "https://learn.microsoft.com/graph/api/chatmessage-post",
  fixture: null,
  test: { body: { userPrincipalName: "AdeleV@contoso.com" }, account: "AdeleV@contoso.com" },
  actions: {
    send_channel_message: {
      input: { team, channel, ...content },
      answer: { status: 201, body: message },
      request: { method: "POST", path, body },
    },
    reply_to_message: {
      input: { team, channel, messageId: "1616989510408", ...content },
      answer: { status: 201, body: message },
      request: { method: "POST", path: `${path}/1616989510408/replies`, body },
    },
    send_chat_message: {
      input: { chat, ...content },
      answer: { status: 201, body: message },
      request: {
        method: "POST",
        path: "/v1.0/chats/19%3A2da4c29f6d7041eca70b638b43d45437%40thread.v2/messages",
        body,
      },
    },
    list_channel_messages: {
      input: { team, channel },
      pages,
      request: { method: "GET", path: `${path}?%24top=50` },
    },
    list_channels: {
      input: { team },
      answer: { body: { value: [general] } },
      request: { method: "GET", path: `/v1.0/teams/${team}/channels` },
    },
    create_channel: {
      input: { team, name: "Architecture Discussion", description: "Where we debate" },
      answer: {
        status: 201,
        body: {
          id: "19:4b6bed8d24574f6a9e436813cb2617d8@thread.tacv2",
          displayName: "Architecture Discussion",
          webUrl: "https://teams.microsoft.com/l/channel/19%3A4b6b",
        },
      },
      request: {
        method: "POST",
        path: `/v1.0/teams/${team}/channels`,
        body: {
          displayName: "Architecture Discussion",
          description: "Where we debate",
          membershipType: "standard",
        },
      },
    },
  },
  options: {
    teams: {
      answer: { body: { value: [{ id: team, displayName: "Contoso Team" }] } },
      request: { method: "GET", path: "/v1.0/me/joinedTeams" },
      first: { value: team, label: "Contoso Team" },
    },
    channels: {
      input: { team },
      answer: { body: { value: [general] } },
      request: { method: "GET", path: `/v1.0/teams/${team}/channels` },
      first: { value: channel, label: "General" },
    },
    chats: {
      pages: [
        {
          body: {
            value: [{ id: chat, topic: "Group chat", chatType: "group" }],
            "@odata.nextLink": "https://graph.microsoft.com/v1.0/me/chats?$skiptoken=1",
          },
        },
        { body: { value: [] } },
      ],
      request: { method: "GET", path: "/v1.0/me/chats?%24top=50" },
      first: { value: chat, label: "Group chat (group)" },
    },
  },
  triggers: {
    new_channel_message: {
      kind: "polling",
      input: { team, channel },
      pages,
      request: { method: "GET", path: `${path}?%24top=50` },
    },
  },
  errors: [
    {
      status: 403,
      body: { error: { code: "ErrorAccessDenied", message: "Access is denied." } },
      says: "Microsoft Teams: The connection lacks a permission. Connect Microsoft again.",
    },
    {
      status: 400,
      body: { error: { code: "BadRequest", message: "Missing body content" } },
      says: "Microsoft Teams: Missing body content",
    },
  ],
};
