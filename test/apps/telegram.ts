import { telegram } from "../../apps/telegram.ts";
import fixture from "./fixtures/telegram.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const chat = { id: 1111111, type: "private", first_name: "Test", username: "Test" };
const from = { id: 1111111, is_bot: false, first_name: "Test", username: "Test" };
const sent = { message_id: 1365, date: 1441645532, chat, text: "Test message" };
const update = {
  update_id: 10000,
  message: { message_id: 1365, date: 1441645532, chat, from, text: "/start" },
};
const ok = (result: unknown) => ({ body: { ok: true, result } as never });

export const telegramExamples: AppExamples = {
  app: telegram,
  source: "https://core.telegram.org/bots/webhooks#testing-your-bot-with-updates",
  fixture,
  test: {
    ...ok({ id: 123456, is_bot: true, first_name: "Northwind", username: "northwind_bot" }),
    account: "@northwind_bot",
  },
  actions: {
    send_message: {
      input: {
        chat: "1111111",
        text: "Test message",
        parseMode: "HTML",
        replyTo: 1364,
        keyboard: { inline_keyboard: [[{ text: "Yes", callback_data: "yes" }]] },
        silent: true,
      },
      answer: ok(sent),
    },
    send_photo: {
      input: {
        chat: "1111111",
        photo: "https://example.com/photo.jpg",
        caption: "A photo",
        parseMode: "HTML",
      },
      answer: ok({
        message_id: 1366,
        date: 1441645532,
        chat,
        photo: [{ file_id: "AgACAgIAAxkDAAIB", width: 90, height: 60, file_size: 1100 }],
      }),
    },
    send_document: {
      input: {
        chat: "1111111",
        file: {
          file: `file_${"0".repeat(29)}`,
          name: "invoice.pdf",
          contentType: "application/pdf",
          size: 4,
        },
        caption: "The invoice",
        parseMode: "HTML",
      },
      answer: ok({
        message_id: 1367,
        chat,
        document: {
          file_id: "BQADBAADKQADNX",
          file_name: "invoice.pdf",
          mime_type: "application/pdf",
          file_size: 55126,
        },
      }),
    },
    edit_message: {
      input: {
        chat: "1111111",
        messageId: 1365,
        text: "Test message",
        parseMode: "HTML",
        keyboard: { inline_keyboard: [] },
      },
      answer: ok(sent),
    },
    delete_message: { input: { chat: "1111111", messageId: 1365 }, answer: ok(true) },
    answer_button: { input: { query: "4382bfdwdsb323b2d9", text: "Saved", alert: true }, answer: ok(true) },
    get_chat: {
      input: { chat: "-1001234567890" },
      answer: ok({ id: -1001234567890, type: "supergroup", title: "Support", username: "northwind_support" }),
    },
  },
  triggers: { new_update: { kind: "polling", input: { kinds: ["message"] }, answer: ok([update]) } },
  errors: [
    {
      status: 400,
      body: { ok: false, error_code: 400, description: "Bad Request: chat not found" },
      says: "Telegram: Bad Request: chat not found",
    },
    {
      status: 403,
      body: { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" },
      says: "Telegram: The bot may not write there: it was blocked, or is not a member of the chat.",
    },
  ],
  rateLimit: {
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 14",
      parameters: { retry_after: 14 },
    },
    seconds: 14,
  },
};
