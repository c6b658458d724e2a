import { discord } from "../../apps/discord.ts";
import fixture from "./fixtures/discord.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const channel = "290926798999357250";
const message = {
  id: "334385199974967042",
  channel_id: channel,
  content: "Supa Hot",
  author: { id: "53908099506183680", username: "Mason" },
  timestamp: "2017-07-11T17:27:07.299000+00:00",
};
const older = { ...message, id: "334385199974967041", content: "Supa Cold" };
const general = { id: "41771983423143937", name: "general", type: 0 };
/** The last page is the one that is not full. */
const full = Array.from({ length: 100 }, (_, index) => ({
  ...message,
  id: String(334385199974967042n - BigInt(index)),
}));
const servers = Array.from({ length: 200 }, (_, index) => ({
  id: String(80351110224678912n + BigInt(index)),
  name: "1337 Krew",
}));

export const discordExamples: AppExamples = {
  app: discord,
  source: "https://discord.com/developers/docs/resources/message",
  fixture,
  test: { body: { id: "80351110224678912", username: "Nelly" }, account: "Nelly" },
  actions: {
    send_message: {
      input: {
        channel,
        content: "Supa Hot",
        embeds: [{ title: "Order 10482" }],
        replyTo: "334385199974967041",
      },
      answer: { body: message },
    },
    edit_message: {
      input: { channel, messageId: message.id, content: "Supa Hot", embeds: [{ title: "Order 10482" }] },
      answer: { body: message },
    },
    delete_message: { input: { channel, messageId: message.id }, answer: { status: 204 } },
    list_messages: { input: { channel, limit: 200 }, pages: [{ body: full }, { body: [older] }] },
    list_channels: { input: { server: "41771983423143937" }, answer: { body: [general] } },
    create_thread: {
      input: { channel, messageId: message.id, name: "Order 10482" },
      answer: { status: 201, body: { id: "41771983423143937", name: "Order 10482", type: 11 } },
    },
    add_role: {
      input: { server: "41771983423143937", member: "53908099506183680", role: "41771983423143936" },
      answer: { status: 204 },
    },
    add_reaction: { input: { channel, messageId: message.id, emoji: "👍" }, answer: { status: 204 } },
  },
  options: {
    servers: {
      pages: [{ body: servers }, { body: [] }],
      first: { value: "80351110224678912", label: "1337 Krew" },
    },
    channels: {
      input: { server: "41771983423143937" },
      answer: { body: [general] },
      first: { value: "41771983423143937", label: "#general" },
    },
    roles: {
      input: { server: "41771983423143937" },
      answer: { body: [{ id: "41771983423143936", name: "WE DEM BOYZZ!!!!!!" }] },
      first: { value: "41771983423143936", label: "WE DEM BOYZZ!!!!!!" },
    },
  },
  triggers: { new_message: { kind: "polling", input: { channel }, answer: { body: [message, older] } } },
  errors: [
    {
      status: 404,
      body: { message: "Unknown Channel", code: 10003 },
      says: "Discord: Discord knows no such channel, or the bot may not see it.",
    },
    { status: 400, body: { message: "Invalid Form Body", code: 50035 }, says: "Discord: Invalid Form Body" },
  ],
  rateLimit: {
    status: 429,
    body: { message: "You are being rate limited.", retry_after: 64.5, global: false },
    seconds: 64.5,
  },
};
