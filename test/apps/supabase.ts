import { supabase } from "../../apps/supabase.ts";
import type { AppExamples } from "./support/app-examples.ts";

const row = { id: 1, name: "Ada", created_at: "2026-01-12T09:30:00+00:00" };
const values = { name: "Ada" };
const table = "orders";
const full = (size: number) => Array.from({ length: size }, () => row);
/** A value with quotes and commas stays one value. */
const where = { status: "eq.open", name: 'eq.A",b.eq."c', deleted_at: "is.null" };
const and = `and=${encodeURIComponent('("status".eq."open","name".eq."A\\",b.eq.\\"c","deleted_at".is.null)')
  .replaceAll("(", "%28")
  .replaceAll(")", "%29")}`;

export const supabaseExamples: AppExamples = {
  app: supabase,
  source: "https://docs.postgrest.org/en/v12/references/api/tables_views.html",
  fixture: null,
  fields: { project: "abcd" },
  test: {
    body: { swagger: "2.0", info: { title: "standard public schema" } },
    account: "standard public schema",
  },
  actions: {
    list_rows: {
      input: { table, where, columns: "id,name", order: "created_at.desc", limit: 200 },
      pages: [{ body: full(100) }, { body: [{ ...row, id: 2 }] }],
      request: {
        method: "GET",
        path: `/rest/v1/orders?select=id%2Cname&${and}&order=created_at.desc&limit=100&offset=0`,
      },
    },
    create_row: {
      input: { table, row: values },
      answer: { status: 201, body: [row] },
      request: { method: "POST", path: "/rest/v1/orders", body: values },
    },
    upsert_row: {
      input: { table, row: values, keys: "name" },
      answer: { status: 201, body: [row] },
      request: { method: "POST", path: "/rest/v1/orders?on_conflict=name", body: values },
    },
    update_rows: {
      input: { table, where, row: values },
      answer: { body: [row] },
      request: { method: "PATCH", path: `/rest/v1/orders?${and}`, body: values },
    },
    delete_rows: {
      input: { table, where },
      answer: { body: [row] },
      request: { method: "DELETE", path: `/rest/v1/orders?${and}` },
    },
    call_function: {
      input: { name: "add_points", arguments: { a: 1, b: 2 } },
      answer: { body: 3 },
      request: { method: "POST", path: "/rest/v1/rpc/add_points", body: { a: 1, b: 2 } },
    },
  },
  triggers: {
    new_row: {
      kind: "polling",
      input: { table },
      pages: [{ body: full(50) }, { body: [{ ...row, id: 2 }] }],
      request: { method: "GET", path: "/rest/v1/orders?order=%22created_at%22.desc&limit=50&offset=0" },
    },
  },
  errors: [
    {
      status: 404,
      body: { code: "42P01", message: 'relation "public.ordrs" does not exist', details: null, hint: null },
      says: "Supabase: The database has no such table.",
    },
    {
      status: 400,
      body: { code: "22P02", message: 'invalid input syntax for type integer: "x"' },
      says: 'Supabase: invalid input syntax for type integer: "x"',
    },
  ],
};
