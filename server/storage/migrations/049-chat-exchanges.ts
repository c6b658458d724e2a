import type { Migration } from "../migrate.ts";

/** Messages of visitors to a chat, each with the task that answers it and, once it is known, the answer. */
export const chatExchanges: Migration = {
  version: 49,
  name: "chat exchanges",
  statements: [
    `create table chat_exchange (
      id text primary key,
      owner_id text not null references account (id),
      trigger_id text not null references triggers (id) on delete cascade,
      conversation text not null,
      message_id text not null,
      message text not null,
      task_id text,
      status text not null,
      answer text,
      created_at bigint not null,
      unique (trigger_id, conversation, message_id)
    )`,
    "create index chat_exchange_by_conversation on chat_exchange (trigger_id, conversation, id)",
    "create index chat_exchange_by_owner on chat_exchange (owner_id, id)",
  ],
};
