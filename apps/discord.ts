import { defineApp } from "./define-app.ts";

const server = {
  type: "string",
  title: "Server",
  required: true,
  options: "servers",
  example: "290926798626357999",
} as const;
const channel = {
  type: "string",
  title: "Channel",
  description: "The id of a channel. The bot must be allowed to see it.",
  required: true,
  options: "channels",
  dependsOn: ["server"],
  example: "290926798999357250",
} as const;
const listServer = {
  type: "string",
  title: "Server",
  description: "Only to choose the channel from a list.",
  options: "servers",
} as const;
const messageId = {
  type: "string",
  title: "Message",
  description: "The id of the message.",
  required: true,
} as const;
const content = {
  type: "string",
  title: "Text",
  description: "Markdown.",
  format: "multiline",
  maxLength: 2000,
} as const;
const embeds = {
  type: "array",
  title: "Embeds",
  description: 'Cards, such as [{"title": "Order 10482", "description": "Paid"}].',
  items: { type: "object" },
  advanced: true,
} as const;

const message = {
  id: "{{body.id}}",
  channelId: "{{body.channel_id}}",
  content: "{{body.content}}",
  timestamp: "{{body.timestamp}}",
};
const messageItem = {
  id: "{{item.id}}",
  channelId: "{{item.channel_id}}",
  content: "{{item.content}}",
  author: "{{item.author.username}}",
  authorId: "{{item.author.id}}",
  timestamp: "{{item.timestamp}}",
};
const messageSample = {
  id: "334385199974967042",
  channelId: "290926798999357250",
  content: "Supa Hot",
  timestamp: "2017-07-11T17:27:07.299000+00:00",
};
const itemSample = { ...messageSample, author: "Mason", authorId: "53908099506183680" };

export const discord = defineApp({
  id: "discord",
  title: "Discord",
  description: "Send and read messages of servers with a bot.",
  category: "communication",
  synonyms: ["chat", "message", "guild", "notify", "bot"],
  icon: { letters: "Di", color: "#5865f2" },
  documentation: "https://discord.com/developers/docs/reference",
  baseUrl: "https://discord.com/api/v10",
  hosts: ["discord.com"],
  auth: [
    {
      kind: "api_key",
      title: "Bot token",
      in: "header",
      name: "authorization",
      prefix: "Bot ",
      help: "Create an application at https://discord.com/developers/applications, add it to your server, and copy the token of its bot.",
    },
  ],
  test: { request: { path: "/users/@me" }, account: "{{body.username}}" },
  errors: {
    code: "{{body.code}}",
    message: "{{body.message}}",
    words: {
      "10003": "Discord knows no such channel, or the bot may not see it.",
      "10008": "There is no message with this id in the channel.",
      "50001": "The bot has no access to this. Add it to the server or the channel.",
      "50013": "The bot lacks a permission for this. Give its role the permission in the server's settings.",
      "50006": "The message is empty. Give a text or an embed.",
    },
    rateLimit: { wait: "{{body.retry_after}}" },
  },
  options: {
    servers: {
      title: "Servers",
      request: { path: "/users/@me/guilds", query: { limit: "{{pageSize}}", after: "{{cursor}}" } },
      items: "{{body}}",
      paging: { kind: "cursor", cursor: "{{last.id}}", size: 200 },
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
    channels: {
      title: "Channels",
      request: { path: "/guilds/{{input.server}}/channels" },
      items: "{{body}}",
      value: "{{item.id}}",
      label: "#{{item.name}}",
    },
    roles: {
      title: "Roles",
      request: { path: "/guilds/{{input.server}}/roles" },
      items: "{{body}}",
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    send_message: {
      title: "Send a message",
      description: "Posts a message to a channel.",
      synonyms: ["post", "notify", "alert"],
      input: {
        server: listServer,
        channel,
        content,
        embeds,
        replyTo: { type: "string", title: "Reply to message", description: "Its id.", advanced: true },
      },
      request: {
        method: "POST",
        path: "/channels/{{input.channel}}/messages",
        body: {
          content: "{{input.content}}",
          embeds: "{{input.embeds}}",
          message_reference: { message_id: "{{input.replyTo}}" },
        },
      },
      output: message,
      sample: messageSample,
    },
    edit_message: {
      title: "Change a message",
      description: "Replaces the text of a message of the bot.",
      synonyms: ["update"],
      input: { server: listServer, channel, messageId, content: { ...content, required: true }, embeds },
      request: {
        method: "PATCH",
        path: "/channels/{{input.channel}}/messages/{{input.messageId}}",
        body: { content: "{{input.content}}", embeds: "{{input.embeds}}" },
      },
      output: message,
      sample: messageSample,
    },
    delete_message: {
      title: "Delete a message",
      description: "Deletes a message of a channel.",
      synonyms: ["remove", "moderate"],
      input: { server: listServer, channel, messageId },
      request: { method: "DELETE", path: "/channels/{{input.channel}}/messages/{{input.messageId}}" },
      sample: null,
    },
    list_messages: {
      title: "List messages",
      description: "Reads the messages of a channel, the newest first.",
      synonyms: ["history", "read"],
      input: { server: listServer, channel },
      request: {
        path: "/channels/{{input.channel}}/messages",
        query: { limit: "{{pageSize}}", before: "{{cursor}}" },
      },
      items: "{{body}}",
      paging: { kind: "cursor", cursor: "{{last.id}}", size: 100 },
      output: messageItem,
      sample: [itemSample],
    },
    list_channels: {
      title: "List channels",
      description: "Lists the channels of a server.",
      input: { server },
      request: { path: "/guilds/{{input.server}}/channels" },
      items: "{{body}}",
      output: { id: "{{item.id}}", name: "{{item.name}}", type: "{{item.type}}" },
      sample: [{ id: "41771983423143937", name: "general", type: 0 }],
    },
    create_thread: {
      title: "Create a thread",
      description: "Starts a thread at a message.",
      input: {
        server: listServer,
        channel,
        messageId,
        name: { type: "string", title: "Name", required: true, maxLength: 100, example: "Order 10482" },
      },
      request: {
        method: "POST",
        path: "/channels/{{input.channel}}/messages/{{input.messageId}}/threads",
        body: { name: "{{input.name}}" },
      },
      output: { id: "{{body.id}}", name: "{{body.name}}" },
      sample: { id: "41771983423143937", name: "Order 10482" },
    },
    add_role: {
      title: "Give a role",
      description: "Gives a member of a server a role.",
      synonyms: ["member", "permission"],
      input: {
        server,
        member: { type: "string", title: "Member", description: "The id of the person.", required: true },
        role: { type: "string", title: "Role", required: true, options: "roles", dependsOn: ["server"] },
      },
      request: {
        method: "PUT",
        path: "/guilds/{{input.server}}/members/{{input.member}}/roles/{{input.role}}",
      },
      sample: null,
    },
    add_reaction: {
      title: "Add a reaction",
      description: "Adds an emoji to a message.",
      synonyms: ["emoji"],
      input: {
        server: listServer,
        channel,
        messageId,
        emoji: {
          type: "string",
          title: "Emoji",
          description: "The emoji itself, or name:id of the server's own.",
          required: true,
          example: "👍",
        },
      },
      request: {
        method: "PUT",
        path: "/channels/{{input.channel}}/messages/{{input.messageId}}/reactions/{{input.emoji}}/@me",
      },
      sample: null,
    },
  },
  triggers: {
    new_message: {
      title: "New message",
      description: "Starts a run for each new message of a channel.",
      input: { server: listServer, channel },
      polling: {
        request: {
          path: "/channels/{{input.channel}}/messages",
          query: { limit: 100, after: "{{since}}" },
        },
        items: "{{body}}",
        key: "{{item.id}}",
        name: "{{item.content}}",
        order: "newest_first",
        since: "{{item.id}}",
        output: messageItem,
      },
      sample: itemSample,
    },
  },
});
