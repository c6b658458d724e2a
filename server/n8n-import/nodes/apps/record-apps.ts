import type { AppMap } from "./app-map.ts";
import {
  blockText,
  columnFields,
  hubspotProperties,
  limit,
  matchingColumns,
  supabaseRow,
  titleOf,
} from "./app-inputs.ts";

const record = { base: ["base", "application", "baseId"], table: "table" };
const page = { page: ["pageId", "blockId"] };

export const recordApps: Readonly<Record<string, AppMap>> = {
  airtable: {
    app: "airtable",
    standard: "record:get",
    actions: {
      "record:get": { action: "get_record", input: { ...record, recordId: "id" } },
      "record:search": { action: "list_records", input: { ...record, formula: "filterByFormula", limit } },
      "record:list": { action: "list_records", input: { ...record, limit } },
      "record:create": { action: "create_record", input: { ...record, fields: columnFields } },
      "record:append": { action: "create_record", input: { ...record, fields: columnFields } },
      "record:update": {
        action: "update_record",
        input: { ...record, recordId: ["columns.value.id", "id"], fields: columnFields },
      },
      "record:upsert": {
        action: "upsert_record",
        input: { ...record, keys: matchingColumns, fields: columnFields },
      },
      "record:deleteRecord": { action: "delete_record", input: { ...record, recordId: "id" } },
    },
  },
  notion: {
    app: "notion",
    standard: "page:create",
    actions: {
      "databasePage:getAll": { action: "query_database", input: { database: "databaseId", limit } },
      "databasePage:create": {
        action: "create_database_page",
        input: { database: "databaseId", title: titleOf },
      },
      "databasePage:update": { action: "update_page", input: page },
      "databasePage:get": { action: "get_page", input: page },
      "page:create": { action: "create_page", input: { page: "pageId", title: "title" } },
      "page:get": { action: "get_page", input: page },
      "page:archive": { action: "update_page", input: { ...page, archived: () => true } },
      "page:search": { action: "search", input: { query: "text", limit } },
      "block:getAll": { action: "list_blocks", input: { page: "blockId", limit } },
      "block:append": { action: "append_text", input: { page: "blockId", text: blockText } },
    },
  },
  hubspot: {
    app: "hubspot",
    standard: "contact:upsert",
    actions: {
      "contact:upsert": {
        action: "upsert_contact",
        input: { email: "email", properties: hubspotProperties },
        reads: ["additionalFields"],
      },
      "contact:getAll": { action: "list_records", input: { object: () => "contacts", limit } },
      "contact:get": { action: "get_record", input: { object: () => "contacts", id: "contactId" } },
      "company:create": {
        action: "create_record",
        input: { object: () => "companies", properties: hubspotProperties },
        reads: ["additionalFields"],
      },
      "company:getAll": { action: "list_records", input: { object: () => "companies", limit } },
      "deal:getAll": { action: "list_records", input: { object: () => "deals", limit } },
      "deal:get": { action: "get_record", input: { object: () => "deals", id: "dealId" } },
    },
  },
  supabase: {
    app: "supabase",
    standard: "row:create",
    actions: {
      "row:create": { action: "create_row", input: { table: "tableId", row: supabaseRow } },
      "row:getAll": { action: "list_rows", input: { table: "tableId", limit } },
    },
  },
  stripe: {
    app: "stripe",
    standard: "balance:get",
    actions: {
      "customer:create": {
        action: "create_customer",
        input: { name: "name", email: ["additionalFields.email"] },
      },
      "customer:getAll": { action: "find_customers", input: { email: ["filters.email"], limit } },
    },
  },
  wordpress: {
    app: "wordpress",
    standard: "post:create",
    actions: {
      "post:create": {
        action: "create_post",
        input: { title: "title", content: ["additionalFields.content"], status: ["additionalFields.status"] },
      },
      "post:get": { action: "get_post", input: { id: "postId" } },
      "post:getAll": { action: "list_posts", input: { limit } },
      "post:update": {
        action: "update_post",
        input: { id: "postId", title: ["updateFields.title"], content: ["updateFields.content"] },
      },
    },
  },
};
