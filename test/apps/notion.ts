import { notion } from "../../apps/notion.ts";
import fixture from "./fixtures/notion.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const database = "d9824bdc-8445-4327-be8b-5b47500af6ce";
const page = {
  object: "page",
  id: "59833787-2cf9-4fdf-8782-e53db20768a5",
  created_time: "2022-03-01T19:05:00.000Z",
  last_edited_time: "2022-07-06T20:25:00.000Z",
  url: "https://www.notion.so/Tuscan-Kale-598337872cf94fdf8782e53db20768a5",
  properties: { Name: { id: "title", type: "title", title: [{ type: "text", plain_text: "Tuscan Kale" }] } },
};
const other = { ...page, id: "0c1f7cb2-8090-4f18-924e-d92965055e32" };
const heading = {
  object: "block",
  id: "c02fc1d3-db8b-45c5-a222-27595b15aea7",
  type: "heading_2",
  heading_2: { rich_text: [{ type: "text", plain_text: "Lacinato kale" }] },
};
const listOf = (first: object, second: object): [object, object] => [
  {
    body: {
      object: "list",
      results: [first],
      next_cursor: "fe2cc560-036c-44cd-90e8-294d5a74cebc",
      has_more: true,
    },
  },
  { body: { object: "list", results: [second], next_cursor: null, has_more: false } },
];
const status = { Status: { status: { name: "Done" } } };

export const notionExamples: AppExamples = {
  app: notion,
  source: "https://developers.notion.com/reference/post-database-query",
  fixture,
  test: {
    body: { object: "user", id: "16d84278-ab0e-484c-9bdd-b35da3bd8905", name: "pied piper", type: "bot" },
    account: "pied piper",
  },
  actions: {
    query_database: {
      input: {
        database,
        filter: { property: "Status", status: { equals: "Done" } },
        sorts: [{ property: "Name", direction: "ascending" }],
      },
      pages: listOf(page, other),
    },
    create_database_page: {
      input: { database, title: "Tuscan Kale", properties: status, text: "A green.\nA leafy one." },
      answer: { body: page },
    },
    create_page: { input: { page: page.id, title: "Tuscan Kale", text: "A green." }, answer: { body: page } },
    update_page: { input: { page: page.id, properties: status, archived: false }, answer: { body: page } },
    get_page: { input: { page: page.id }, answer: { body: page } },
    list_blocks: {
      input: { page: page.id },
      pages: listOf(heading, { ...heading, id: "acc7eb06-05cd-4603-a384-5e1e4f1f4e72" }),
    },
    append_text: {
      input: { page: page.id, text: "Lacinato kale" },
      answer: {
        body: {
          object: "list",
          results: [{ object: "block", id: "c02fc1d3-db8b-45c5-a222-27595b15aea7", type: "paragraph" }],
        },
      },
    },
    search: { input: { query: "Kale" }, pages: listOf(page, other) },
  },
  options: {
    databases: {
      pages: listOf({ object: "data_source", id: database, title: [{ plain_text: "Grocery list" }] }, other),
      first: { value: database, label: "Grocery list" },
    },
    pages: { pages: listOf(page, other), first: { value: page.id, label: page.url } },
  },
  triggers: {
    new_page: { kind: "polling", input: { database }, pages: listOf(page, other) },
    changed_page: { kind: "polling", input: { database }, pages: listOf(page, other) },
  },
  errors: [
    {
      status: 404,
      body: {
        object: "error",
        status: 404,
        code: "object_not_found",
        message: "Could not find database with ID: be907abe.",
      },
      says: "Notion: Notion found nothing there, or it is not shared with the integration. Open it in Notion and add the integration under Connections.",
    },
    {
      status: 400,
      body: {
        object: "error",
        status: 400,
        code: "validation_error",
        message: "Status is not a property that exists.",
      },
      says: "Notion: Status is not a property that exists.",
    },
  ],
};
