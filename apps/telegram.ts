import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const chat = {
  type: "string",
  title: "Chat",
  description:
    "The id of a chat, or @name of a public channel. A bot can write to people who have written to it.",
  required: true,
  example: "-1001234567890",
} as const;

const parseMode: AppField = {
  type: "string",
  title: "Format",
  description: "How the text is written; plain text by default.",
  enum: ["MarkdownV2", "HTML", "Markdown"],
  advanced: true,
};

const silent = { type: "boolean", title: "Without sound", advanced: true } as const;
const replyTo = {
  type: "integer",
  title: "Reply to message",
  description: "Its id.",
  advanced: true,
} as const;
const keyboard = {
  type: "object",
  title: "Keyboard",
  description: 'Buttons, such as {"inline_keyboard": [[{"text": "Yes", "callback_data": "yes"}]]}.',
  advanced: true,
} as const;
const caption = { type: "string", title: "Caption", format: "multiline" } as const;
const messageId = {
  type: "integer",
  title: "Message",
  description: "The id of the message.",
  required: true,
} as const;

const sent = {
  messageId: "{{body.result.message_id}}",
  chatId: "{{body.result.chat.id}}",
  date: "{{body.result.date}}",
  text: "{{body.result.text}}",
};
const sentSample = { messageId: 1365, chatId: 1111111, date: 1441645532, text: "Test message" };

export const telegram = defineApp({
  id: "telegram",
  title: "Telegram",
  description: "Send messages and files with a bot, and answer what people write to it.",
  category: "communication",
  synonyms: ["bot", "chat", "message", "notify"],
  icon: { letters: "Te", color: "#229ed9" },
  documentation: "https://core.telegram.org/bots/api",
  baseUrl: "https://api.telegram.org/bot:token",
  hosts: ["api.telegram.org"],
  auth: [
    {
      kind: "api_key",
      title: "Bot token",
      in: "path",
      name: ":token",
      help: "Write /newbot to @BotFather in Telegram and copy the token it gives you.",
    },
  ],
  test: { request: { path: "/getMe" }, account: "@{{body.result.username}}" },
  errors: {
    ok: "{{body.ok}}",
    message: "{{body.description}}",
    words: {
      "403": "The bot may not write there: it was blocked, or is not a member of the chat.",
      "409": "Another program reads the updates of this bot. Only one can: stop it, or delete its webhook.",
    },
    rateLimit: { wait: "{{body.parameters.retry_after}}" },
  },
  actions: {
    send_message: {
      title: "Send a message",
      description: "Sends a text to a chat, with buttons if you like.",
      synonyms: ["post", "notify", "alert"],
      input: {
        chat,
        text: { type: "string", title: "Text", format: "multiline", required: true, maxLength: 4096 },
        parseMode,
        replyTo,
        keyboard,
        silent,
      },
      request: {
        method: "POST",
        path: "/sendMessage",
        body: {
          chat_id: "{{input.chat}}",
          text: "{{input.text}}",
          parse_mode: "{{input.parseMode}}",
          reply_parameters: { message_id: "{{input.replyTo}}" },
          reply_markup: "{{input.keyboard}}",
          disable_notification: "{{input.silent}}",
        },
      },
      output: sent,
      sample: sentSample,
    },
    send_photo: {
      title: "Send a photo",
      description: "Sends a picture: a file of an earlier step, or the address of one.",
      synonyms: ["image", "picture"],
      input: {
        chat,
        photo: {
          type: "string",
          title: "Address of the photo",
          description: "Or a file below.",
          example: "https://example.com/photo.jpg",
        },
        file: { type: "object", title: "File", format: "file" },
        caption,
        parseMode,
      },
      prepare: ({ input }) => ({ photo: input["file"] ?? input["photo"] ?? null }),
      request: {
        method: "POST",
        path: "/sendPhoto",
        multipart: {
          chat_id: "{{input.chat}}",
          photo: "{{prepared.photo}}",
          caption: "{{input.caption}}",
          parse_mode: "{{input.parseMode}}",
        },
      },
      output: {
        messageId: "{{body.result.message_id}}",
        chatId: "{{body.result.chat.id}}",
        photo: "{{body.result.photo}}",
      },
      sample: {
        messageId: 1366,
        chatId: 1111111,
        photo: [{ file_id: "AgACAgIAAxkDAAIB", width: 90, height: 60, file_size: 1100 }],
      },
    },
    send_document: {
      title: "Send a file",
      description: "Sends a file of an earlier step as a document.",
      synonyms: ["document", "attachment", "pdf"],
      input: {
        chat,
        file: { type: "object", title: "File", format: "file", required: true },
        caption,
        parseMode,
      },
      request: {
        method: "POST",
        path: "/sendDocument",
        multipart: {
          chat_id: "{{input.chat}}",
          document: "{{input.file}}",
          caption: "{{input.caption}}",
          parse_mode: "{{input.parseMode}}",
        },
      },
      output: {
        messageId: "{{body.result.message_id}}",
        chatId: "{{body.result.chat.id}}",
        document: "{{body.result.document}}",
      },
      sample: {
        messageId: 1367,
        chatId: 1111111,
        document: {
          file_id: "BQADBAADKQADNX",
          file_name: "invoice.pdf",
          mime_type: "application/pdf",
          file_size: 55126,
        },
      },
    },
    edit_message: {
      title: "Change a message",
      description: "Replaces the text of a message of the bot.",
      synonyms: ["update"],
      input: {
        chat,
        messageId,
        text: { type: "string", title: "Text", format: "multiline", required: true },
        parseMode,
        keyboard,
      },
      request: {
        method: "POST",
        path: "/editMessageText",
        body: {
          chat_id: "{{input.chat}}",
          message_id: "{{input.messageId}}",
          text: "{{input.text}}",
          parse_mode: "{{input.parseMode}}",
          reply_markup: "{{input.keyboard}}",
        },
      },
      output: sent,
      sample: sentSample,
    },
    delete_message: {
      title: "Delete a message",
      description: "Deletes a message of the last 48 hours.",
      synonyms: ["remove"],
      input: { chat, messageId },
      request: {
        method: "POST",
        path: "/deleteMessage",
        body: { chat_id: "{{input.chat}}", message_id: "{{input.messageId}}" },
      },
      output: { deleted: "{{body.result}}" },
      sample: { deleted: true },
    },
    answer_button: {
      title: "Answer a button",
      description: "Ends the waiting of a person who pressed a button, with a short note.",
      synonyms: ["callback", "query"],
      input: {
        query: {
          type: "string",
          title: "Callback query",
          description: "Its id, from the trigger.",
          required: true,
        },
        text: { type: "string", title: "Text", maxLength: 200 },
        alert: { type: "boolean", title: "As a window", advanced: true },
      },
      request: {
        method: "POST",
        path: "/answerCallbackQuery",
        body: { callback_query_id: "{{input.query}}", text: "{{input.text}}", show_alert: "{{input.alert}}" },
      },
      output: { answered: "{{body.result}}" },
      sample: { answered: true },
    },
    get_chat: {
      title: "Get a chat",
      description: "Reads the title, type and description of a chat.",
      input: { chat },
      request: { path: "/getChat", query: { chat_id: "{{input.chat}}" } },
      output: "{{body.result}}",
      sample: { id: -1001234567890, type: "supergroup", title: "Support", username: "northwind_support" },
    },
  },
  triggers: {
    new_update: {
      title: "New message",
      description: "Starts a run for each message to the bot and for each button that a person presses.",
      synonyms: ["update", "button", "command", "chat"],
      input: {
        kinds: {
          type: "array",
          title: "Start with",
          items: { type: "string", enum: ["message", "edited_message", "channel_post", "callback_query"] },
          default: ["message", "callback_query"],
        },
      },
      polling: {
        // The bot's queue is confirmed by asking for the last known update again; its key keeps it from starting twice.
        prepare: ({ input }) => ({ kinds: JSON.stringify(input["kinds"] ?? ["message", "callback_query"]) }),
        request: {
          path: "/getUpdates",
          query: { offset: "{{since}}", limit: 100, allowed_updates: "{{prepared.kinds}}" },
        },
        items: "{{body.result}}",
        key: "{{item.update_id}}",
        name: "{{item.message.text}}",
        order: "oldest_first",
        since: "{{item.update_id}}",
      },
      sample: {
        update_id: 10000,
        message: {
          message_id: 1365,
          date: 1441645532,
          chat: { id: 1111111, type: "private", first_name: "Test", username: "Test" },
          from: { id: 1111111, is_bot: false, first_name: "Test", username: "Test" },
          text: "/start",
        },
      },
    },
  },
});
