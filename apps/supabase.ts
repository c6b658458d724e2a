import type { AppField } from "../contract/apps.ts";
import type { AppValues } from "./define-app.ts";
import { defineApp } from "./define-app.ts";

const table: AppField = { type: "string", title: "Table", required: true, example: "orders" };
const row: AppField = {
  type: "object",
  title: "Row",
  description: "Values by the name of their column.",
  required: true,
  example: '{ "name": "Ada", "total": 12 }',
};
const where: AppField = {
  type: "object",
  title: "Only rows where",
  description:
    "Conditions by column, each an operator and a value: eq, neq, gt, gte, lt, lte, like, ilike, is.",
  example: '{ "status": "eq.open", "total": "gt.100" }',
};
const order: AppField = { type: "string", title: "Sort by", example: "created_at.desc", advanced: true };

const rowSample = { id: 1, name: "Ada", created_at: "2026-01-12T09:30:00+00:00" };
const path = "/rest/v1/{{input.table}}";
const paging = { kind: "offset", size: 100 } as const;
const returned = { prefer: "return=representation" };

/** One text for all conditions, with names and values in quotes, so that a value cannot add a condition. */
function conditions({ input }: AppValues): Record<string, string> {
  const given = Object.entries((input["where"] ?? {}) as Record<string, unknown>);
  const all = given.map(([column, text]) => {
    const [, operator = "eq", value = String(text)] = /^([a-z]+)\.([^]*)$/.exec(String(text)) ?? [];
    return `${quoted(column)}.${operator}.${operator === "is" ? value.replace(/\W/g, "") : quoted(value)}`;
  });
  return all.length === 0 ? {} : { where: `(${all.join(",")})` };
}

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

export const supabase = defineApp({
  id: "supabase",
  title: "Supabase",
  description: "Read and change rows of your database over its REST API.",
  category: "data",
  synonyms: ["postgres", "database", "table", "row", "sql"],
  icon: { letters: "Su", color: "#3ecf8e" },
  documentation: "https://supabase.com/docs/guides/api",
  baseUrl: "https://{{connection.project}}.supabase.co",
  hosts: ["{{connection.project}}.supabase.co"],
  fields: {
    project: {
      type: "string",
      title: "Project",
      description: "The first part of its address: abcd of abcd.supabase.co.",
      required: true,
      example: "abcdefghijklmnopqrst",
    },
  },
  auth: [
    {
      kind: "api_key",
      title: "Secret key",
      in: "header",
      name: "apikey",
      bearer: true,
      help: "Copy the secret (service_role) key under Project settings → API keys. It passes all row rules.",
    },
  ],
  test: { request: { path: "/rest/v1/" }, account: "{{body.info.title}}" },
  errors: {
    code: "{{body.code}}",
    message: "{{body.message}}",
    words: {
      "42P01": "The database has no such table.",
      PGRST205: "The database has no such table.",
      PGRST204: "The table has no such column.",
      "23505": "A row with the same key exists already. Use “Create or change a row”.",
      "42501": "The key has no permission for this table.",
    },
  },
  actions: {
    list_rows: {
      title: "List rows",
      description: "Reads the rows of a table, all or those that match.",
      synonyms: ["select", "query", "find", "get"],
      input: {
        table,
        where,
        columns: { type: "string", title: "Columns", example: "id,name", advanced: true },
        order,
      },
      prepare: conditions,
      request: {
        path,
        query: {
          select: "{{input.columns}}",
          and: "{{prepared.where}}",
          order: "{{input.order}}",
          limit: "{{pageSize}}",
          offset: "{{offset}}",
        },
      },
      items: "{{body}}",
      paging,
      sample: [rowSample],
    },
    create_row: {
      title: "Create a row",
      description: "Adds a row to a table.",
      synonyms: ["insert", "add"],
      input: { table, row },
      request: { method: "POST", path, headers: returned, body: "{{input.row}}" },
      output: "{{body.0}}",
      sample: rowSample,
    },
    upsert_row: {
      title: "Create or change a row",
      description: "Changes the row with the same key, or adds it.",
      synonyms: ["upsert", "merge", "sync"],
      input: {
        table,
        row,
        keys: {
          type: "string",
          title: "Key columns",
          description: "The primary key by default.",
          example: "email",
          advanced: true,
        },
      },
      request: {
        method: "POST",
        path,
        query: { on_conflict: "{{input.keys}}" },
        headers: { prefer: "return=representation,resolution=merge-duplicates" },
        body: "{{input.row}}",
      },
      output: "{{body.0}}",
      sample: rowSample,
    },
    update_rows: {
      title: "Change rows",
      description: "Changes the given columns of all rows that match.",
      synonyms: ["update", "edit"],
      input: { table, where: { ...where, required: true }, row },
      prepare: conditions,
      request: {
        method: "PATCH",
        path,
        query: { and: "{{prepared.where}}" },
        headers: returned,
        body: "{{input.row}}",
      },
      output: { rows: "{{body}}" },
      sample: { rows: [rowSample] },
    },
    delete_rows: {
      title: "Delete rows",
      description: "Deletes all rows that match.",
      synonyms: ["remove"],
      input: { table, where: { ...where, required: true } },
      prepare: conditions,
      request: { method: "DELETE", path, query: { and: "{{prepared.where}}" }, headers: returned },
      output: { rows: "{{body}}" },
      sample: { rows: [rowSample] },
    },
    call_function: {
      title: "Call a function",
      description: "Runs a function of the database.",
      synonyms: ["rpc", "procedure"],
      input: {
        name: { type: "string", title: "Function", required: true, example: "add_points" },
        arguments: { type: "object", title: "Arguments" },
      },
      prepare: ({ input }) => ({ arguments: input["arguments"] ?? {} }),
      request: { method: "POST", path: "/rest/v1/rpc/{{input.name}}", body: "{{prepared.arguments}}" },
      output: { result: "{{body}}" },
      sample: { result: 3 },
    },
  },
  triggers: {
    new_row: {
      title: "New row",
      description:
        "Starts a run for each new row of a table with a column that only grows, such as created_at or id.",
      synonyms: ["inserted", "created"],
      input: { table, column: { type: "string", title: "Column that grows", default: "created_at" } },
      polling: {
        prepare: ({ input }) => ({ order: `${quoted(String(input["column"]))}.desc` }),
        request: {
          path,
          query: { order: "{{prepared.order}}", limit: "{{pageSize}}", offset: "{{offset}}" },
        },
        items: "{{body}}",
        paging: { kind: "offset", size: 50 },
        key: "{{item.id}}",
        name: "Row {{item.id}}",
        order: "newest_first",
      },
      sample: rowSample,
    },
  },
});
