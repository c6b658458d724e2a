import type { AppMap } from "./app-map.ts";
import { limit, mailBody } from "./app-inputs.ts";

export const messageApps: Readonly<Record<string, AppMap>> = {
  slack: {
    app: "slack",
    standard: "message:post",
    actions: {
      "message:post": {
        action: "send_message",
        input: { channel: ["channelId", "channel", "user"], text: "text" },
      },
      "message:update": { action: "update_message", input: { channel: "channelId", ts: "ts", text: "text" } },
      "channel:create": { action: "create_channel", input: { name: "channelId" } },
      "channel:getAll": { action: "list_channels" },
      "channel:history": { action: "list_messages", input: { channel: "channelId" } },
      "reaction:add": {
        action: "add_reaction",
        input: { channel: "channelId", ts: "timestamp", emoji: "name" },
      },
    },
  },
  telegram: {
    app: "telegram",
    standard: "message:sendMessage",
    actions: {
      "message:sendMessage": {
        action: "send_message",
        input: { chat: "chatId", text: "text", parseMode: ["additionalFields.parse_mode"] },
      },
      "message:sendPhoto": {
        action: "send_photo",
        input: { chat: "chatId", photo: "file", caption: ["additionalFields.caption"] },
      },
      "message:editMessageText": {
        action: "edit_message",
        input: { chat: "chatId", messageId: "messageId", text: "text" },
      },
      "message:deleteMessage": {
        action: "delete_message",
        input: { chat: "chatId", messageId: "messageId" },
      },
      "callback:answerQuery": {
        action: "answer_button",
        input: { query: "queryId", text: ["additionalFields.text"] },
      },
      "chat:get": { action: "get_chat", input: { chat: "chatId" } },
    },
  },
  discord: {
    app: "discord",
    standard: "message:send",
    actions: {
      "message:send": {
        action: "send_message",
        input: { server: "guildId", channel: "channelId", content: ["content", "text"] },
      },
      "message:getAll": {
        action: "list_messages",
        input: { server: "guildId", channel: "channelId", limit },
      },
      "message:deleteMessage": {
        action: "delete_message",
        input: { server: "guildId", channel: "channelId", messageId: "messageId" },
      },
      "channel:getAll": { action: "list_channels", input: { server: "guildId", limit } },
    },
  },
  microsoftTeams: {
    app: "microsoft-teams",
    standard: "channelMessage:create",
    actions: {
      "channelMessage:create": {
        action: "send_channel_message",
        input: { team: "teamId", channel: "channelId", content: "message" },
      },
      "chatMessage:create": { action: "send_chat_message", input: { chat: "chatId", content: "message" } },
    },
  },
  microsoftOutlook: {
    app: "outlook",
    standard: "message:send",
    actions: {
      "message:send": {
        action: "send_email",
        input: { to: "toRecipients", subject: "subject", ...mailBody(["bodyContent"]) },
      },
      "message:reply": { action: "reply", input: { message: "messageId", text: "message" } },
      "draft:create": {
        action: "create_draft",
        input: { to: ["additionalFields.toRecipients"], subject: "subject", ...mailBody(["bodyContent"]) },
      },
      "message:get": { action: "get_email", input: { message: "messageId" } },
      "message:getAll": {
        action: "list_emails",
        input: { filter: ["filtersUI.values.filters.custom"], limit },
      },
      "message:move": { action: "move_email", input: { message: "messageId", folder: "folderId" } },
    },
  },
  twilio: {
    app: "twilio",
    standard: "sms:send",
    actions: {
      "sms:send": { action: "send_sms", input: { to: "to", from: "from", body: "message" } },
      "call:make": { action: "make_call", input: { to: "to", from: "from", text: "message" } },
    },
  },
};
