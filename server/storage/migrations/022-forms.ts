import type { Migration } from "../migrate.ts";

/** Forms: an endpoint and a form of one workflow share its slug, which is unique while either is enabled. */
export const forms: Migration = {
  version: 22,
  name: "forms",
  statements: [
    "alter table workflow add column form_enabled bigint not null default 0",
    "alter table workflow add column form_settings text",
    "drop index workflow_by_slug",
    `create unique index workflow_by_slug on workflow (endpoint_slug)
      where (api_enabled = 1 or form_enabled = 1) and endpoint_slug is not null and deleted_at is null`,
  ],
};
