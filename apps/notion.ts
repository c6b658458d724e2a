import { defineApp } from "./define-app.ts";

const database = {
  type: "string",
  title: "Database",
  required: true,
  options: "databases",
  example: "d9824bdc-8445-4327-be8b-5b47500af6ce",
} as const;
const page = {
  type: "string",
  title: "Page",
  description: "The id of a page.",
  required: true,
  options: "pages",
  example: "59833787-2cf9-4fdf-8782-e53db20768a5",
} as const;
const text = {
  type: "string",
  title: "Text",
  description: "Each line becomes a paragraph.",
  format: "multiline",
} as const;
const properties = {
  type: "object",
  title: "Properties",
  description: "In Notion's form, by their name.",
  example: '{ "Status": { "status": { "name": "Done" } } }',
} as const;

const pageFields = {
  id: "{{body.id}}",
  url: "{{body.url}}",
  createdAt: "{{body.created_time}}",
  properties: "{{body.properties}}",
};
const pageItem = {
  id: "{{item.id}}",
  url: "{{item.url}}",
  createdAt: "{{item.created_time}}",
  properties: "{{item.properties}}",
};
const pageSample = {
  id: "59833787-2cf9-4fdf-8782-e53db20768a5",
  url: "https://www.notion.so/Tuscan-Kale-598337872cf94fdf8782e53db20768a5",
  createdAt: "2022-03-01T19:05:00.000Z",
  properties: { Name: { id: "title", type: "title", title: [{ type: "text", plain_text: "Tuscan Kale" }] } },
};
const listOf = {
  kind: "cursor",
  cursor: "{{body.next_cursor}}",
  more: "{{body.has_more}}",
  size: 100,
} as const;

/** Notion accepts texts only as blocks, of at most 2,000 characters each. */
function paragraphs(text: unknown) {
  return String(text ?? "")
    .split("\n")
    .flatMap((line) => line.match(/.{1,2000}/gsu) ?? [])
    .map((content) => ({
      type: "paragraph",
      paragraph: { rich_text: [{ type: "text", text: { content } }] },
    }));
}

export const notion = defineApp({
  id: "notion",
  title: "Notion",
  description: "Read and write pages and databases.",
  category: "productivity",
  synonyms: ["wiki", "notes", "database", "page"],
  icon: { letters: "No", color: "#37352f" },
  documentation: "https://developers.notion.com/reference/intro",
  baseUrl: "https://api.notion.com/v1",
  hosts: ["api.notion.com"],
  auth: [
    {
      kind: "bearer",
      title: "Integration token",
      help: "Create an integration at https://www.notion.so/my-integrations, copy its secret, and add the integration to your pages under Connections.",
    },
    {
      kind: "oauth2",
      authorizationUrl: "https://api.notion.com/v1/oauth/authorize",
      tokenUrl: "https://api.notion.com/v1/oauth/token",
      scopes: [],
      authorizationParameters: { owner: "user" },
      clientAuthentication: "basic",
      help: "Create a public integration at https://www.notion.so/my-integrations.",
    },
  ],
  headers: { "notion-version": "2025-09-03" },
  test: { request: { path: "/users/me" }, account: "{{body.name}}" },
  errors: {
    code: "{{body.code}}",
    message: "{{body.message}}",
    words: {
      object_not_found:
        "Notion found nothing there, or it is not shared with the integration. Open it in Notion and add the integration under Connections.",
      restricted_resource: "The integration lacks a capability for this. Change its capabilities in Notion.",
      conflict_error: "Somebody changed the page at the same moment. Run the step again.",
    },
  },
  options: {
    databases: {
      title: "Databases",
      request: {
        method: "POST",
        path: "/search",
        body: {
          query: "{{search}}",
          filter: { property: "object", value: "data_source" },
          page_size: "{{pageSize}}",
          start_cursor: "{{cursor}}",
        },
      },
      search: true,
      items: "{{body.results}}",
      paging: listOf,
      value: "{{item.id}}",
      label: "{{item.title.0.plain_text}}",
    },
    pages: {
      title: "Pages",
      request: {
        method: "POST",
        path: "/search",
        body: {
          query: "{{search}}",
          filter: { property: "object", value: "page" },
          page_size: "{{pageSize}}",
          start_cursor: "{{cursor}}",
        },
      },
      search: true,
      items: "{{body.results}}",
      paging: listOf,
      value: "{{item.id}}",
      label: "{{item.url}}",
    },
  },
  actions: {
    query_database: {
      title: "Query a database",
      description: "Reads the pages of a database, all or those that a filter selects.",
      synonyms: ["list", "rows", "find"],
      writes: false,
      input: {
        database,
        filter: {
          type: "object",
          title: "Filter",
          description: "In Notion's form.",
          example: '{ "property": "Status", "status": { "equals": "Done" } }',
        },
        sorts: { type: "array", title: "Sort", items: { type: "object" }, advanced: true },
      },
      request: {
        method: "POST",
        path: "/data_sources/{{input.database}}/query",
        body: {
          filter: "{{input.filter}}",
          sorts: "{{input.sorts}}",
          page_size: "{{pageSize}}",
          start_cursor: "{{cursor}}",
        },
      },
      items: "{{body.results}}",
      paging: listOf,
      output: pageItem,
      sample: [pageSample],
    },
    create_database_page: {
      title: "Create a page in a database",
      description: "Adds a row to a database, with its title, properties and text.",
      synonyms: ["add row", "insert", "task"],
      input: {
        database,
        titleProperty: {
          type: "string",
          title: "Title property",
          description: "The name of the column with the title.",
          default: "Name",
        },
        title: { type: "string", title: "Title", required: true },
        properties,
        text,
      },
      prepare: ({ input }) => ({
        properties: {
          ...(input["properties"] as object | undefined),
          [String(input["titleProperty"] ?? "Name")]: {
            title: [{ text: { content: input["title"] ?? "" } }],
          },
        },
        children: paragraphs(input["text"]),
      }),
      request: {
        method: "POST",
        path: "/pages",
        body: {
          parent: { type: "data_source_id", data_source_id: "{{input.database}}" },
          properties: "{{prepared.properties}}",
          children: "{{prepared.children}}",
        },
      },
      output: pageFields,
      sample: pageSample,
    },
    create_page: {
      title: "Create a page",
      description: "Adds a page below another one.",
      synonyms: ["note", "document"],
      input: {
        page: { ...page, title: "Below page" },
        title: { type: "string", title: "Title", required: true },
        text,
      },
      prepare: ({ input }) => ({ children: paragraphs(input["text"]) }),
      request: {
        method: "POST",
        path: "/pages",
        body: {
          parent: { page_id: "{{input.page}}" },
          properties: { title: { title: [{ text: { content: "{{input.title}}" } }] } },
          children: "{{prepared.children}}",
        },
      },
      output: pageFields,
      sample: pageSample,
    },
    update_page: {
      title: "Change a page",
      description: "Changes properties of a page, or moves it to the trash.",
      synonyms: ["edit", "archive", "status"],
      input: { page, properties, archived: { type: "boolean", title: "In the trash", advanced: true } },
      request: {
        method: "PATCH",
        path: "/pages/{{input.page}}",
        body: { properties: "{{input.properties}}", archived: "{{input.archived}}" },
      },
      output: pageFields,
      sample: pageSample,
    },
    get_page: {
      title: "Get a page",
      description: "Reads the properties of a page.",
      input: { page },
      request: { path: "/pages/{{input.page}}" },
      output: pageFields,
      sample: pageSample,
    },
    list_blocks: {
      title: "Read the content of a page",
      description: "Lists the blocks of a page: paragraphs, headings, lists.",
      synonyms: ["text", "children"],
      input: { page },
      request: {
        path: "/blocks/{{input.page}}/children",
        query: { page_size: "{{pageSize}}", start_cursor: "{{cursor}}" },
      },
      items: "{{body.results}}",
      paging: listOf,
      sample: [
        {
          object: "block",
          id: "c02fc1d3-db8b-45c5-a222-27595b15aea7",
          type: "heading_2",
          heading_2: { rich_text: [{ type: "text", plain_text: "Lacinato kale" }] },
        },
      ],
    },
    append_text: {
      title: "Add text to a page",
      description: "Adds paragraphs at the end of a page.",
      synonyms: ["append", "write"],
      input: { page, text: { ...text, required: true } },
      prepare: ({ input }) => ({ children: paragraphs(input["text"]) }),
      request: {
        method: "PATCH",
        path: "/blocks/{{input.page}}/children",
        body: { children: "{{prepared.children}}" },
      },
      output: { blocks: "{{body.results}}" },
      sample: {
        blocks: [{ object: "block", id: "c02fc1d3-db8b-45c5-a222-27595b15aea7", type: "paragraph" }],
      },
    },
    search: {
      title: "Search",
      description: "Finds pages and databases by their title.",
      synonyms: ["find"],
      writes: false,
      input: { query: { type: "string", title: "Title", required: true } },
      request: {
        method: "POST",
        path: "/search",
        body: { query: "{{input.query}}", page_size: "{{pageSize}}", start_cursor: "{{cursor}}" },
      },
      items: "{{body.results}}",
      paging: listOf,
      output: { ...pageItem, object: "{{item.object}}" },
      sample: [{ ...pageSample, object: "page" }],
    },
  },
  triggers: {
    new_page: {
      title: "New page in a database",
      description: "Starts a run for each new page of a database.",
      synonyms: ["row", "created"],
      input: { database },
      polling: {
        request: {
          method: "POST",
          path: "/data_sources/{{input.database}}/query",
          body: {
            sorts: [{ timestamp: "created_time", direction: "descending" }],
            page_size: "{{pageSize}}",
            start_cursor: "{{cursor}}",
          },
        },
        items: "{{body.results}}",
        paging: listOf,
        key: "{{item.id}}",
        name: "{{item.url}}",
        order: "newest_first",
        output: pageItem,
      },
      sample: pageSample,
    },
    changed_page: {
      title: "Changed page in a database",
      description: "Starts a run each time a page of a database changes.",
      synonyms: ["updated", "edited"],
      input: { database },
      polling: {
        request: {
          method: "POST",
          path: "/data_sources/{{input.database}}/query",
          body: {
            sorts: [{ timestamp: "last_edited_time", direction: "descending" }],
            page_size: "{{pageSize}}",
            start_cursor: "{{cursor}}",
          },
        },
        items: "{{body.results}}",
        paging: listOf,
        key: "{{item.id}}:{{item.last_edited_time}}",
        name: "{{item.url}}",
        order: "newest_first",
        output: pageItem,
      },
      sample: pageSample,
    },
  },
});
