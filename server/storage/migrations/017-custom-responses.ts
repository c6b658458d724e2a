import type { Migration } from "../migrate.ts";

/** The response step's output is the HTTP response: of an endpoint, and of a webhook. */
export const customResponses: Migration = {
  version: 17,
  name: "custom responses",
  statements: [
    "alter table workflow add column api_custom_response bigint not null default 0",
    "alter table webhook add column custom_response bigint not null default 0",
  ],
};
