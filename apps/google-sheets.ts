import type { AppField } from "../contract/apps.ts";
import type { JsonValue } from "../contract/placeholders/json-value.ts";
import { defineApp } from "./define-app.ts";
import { googleAuth, googleErrors } from "./google-auth.ts";

const spreadsheet: AppField = {
  type: "string",
  title: "Spreadsheet",
  required: true,
  options: "spreadsheets",
  example: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
};
const sheet: AppField = {
  type: "string",
  title: "Sheet",
  description: "The name of the sheet.",
  required: true,
  options: "sheets",
  dependsOn: ["spreadsheet"],
  example: "Orders",
};
const range: AppField = {
  type: "string",
  title: "Range",
  description: "In A1 notation.",
  required: true,
  example: "Orders!A1:D20",
};
const rows: AppField = {
  type: "array",
  title: "Rows",
  description: "A list of values for each row.",
  items: { type: "array" },
  required: true,
  example: '[["Ada", 12], ["Grace", 7]]',
};
const asTyped: AppField = {
  type: "string",
  title: "Values are",
  description: "USER_ENTERED reads dates and formulas as if they were typed, RAW stores texts.",
  enum: ["RAW", "USER_ENTERED"],
  default: "RAW",
  advanced: true,
};

const file = "/v4/spreadsheets/{{input.spreadsheet}}";
const values = `${file}/values/{{prepared.range}}`;

/** The whole sheet; a quote in its name is doubled. */
const wholeSheet = (name: unknown) => `'${String(name ?? "").replaceAll("'", "''")}'`;

/** Rows as objects, with the first row as names and the number of the row in the sheet. */
function toRecords(body: JsonValue): JsonValue {
  const [names = [], ...rows] = ((body as { values?: JsonValue[][] }).values ?? []) as JsonValue[][];
  return {
    rows: rows.map((cells, index) => ({
      rowNumber: index + 2,
      ...Object.fromEntries(names.map((name, column) => [String(name), cells[column] ?? ""])),
    })),
  };
}
const updated = {
  range: "{{body.updatedRange}}",
  rows: "{{body.updatedRows}}",
  cells: "{{body.updatedCells}}",
};
const appended = {
  range: "{{body.updates.updatedRange}}",
  rows: "{{body.updates.updatedRows}}",
  cells: "{{body.updates.updatedCells}}",
};
const append = {
  method: "POST",
  path: `${values}:append`,
  query: { valueInputOption: "{{input.asTyped}}", insertDataOption: "INSERT_ROWS" },
  body: { majorDimension: "ROWS", values: "{{prepared.rows}}" },
} as const;

export const googleSheets = defineApp({
  id: "google-sheets",
  title: "Google Sheets",
  description: "Read, add and change rows of spreadsheets.",
  category: "data",
  synonyms: ["spreadsheet", "row", "table", "excel", "csv"],
  icon: { letters: "Gs", color: "#188038" },
  documentation: "https://developers.google.com/workspace/sheets/api/reference/rest",
  baseUrl: "https://sheets.googleapis.com",
  hosts: ["sheets.googleapis.com", "www.googleapis.com"],
  auth: [
    googleAuth(
      "https://www.googleapis.com/auth/spreadsheets",
      "https://www.googleapis.com/auth/drive.metadata.readonly",
    ),
  ],
  test: {
    request: { path: "https://www.googleapis.com/drive/v3/about", query: { fields: "user" } },
    account: "{{body.user.emailAddress}}",
  },
  errors: googleErrors,
  options: {
    spreadsheets: {
      title: "Spreadsheets",
      request: {
        path: "https://www.googleapis.com/drive/v3/files",
        query: {
          q: "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false",
          orderBy: "modifiedTime desc",
          fields: "nextPageToken,files(id,name)",
          pageSize: "{{pageSize}}",
          pageToken: "{{cursor}}",
        },
      },
      items: "{{body.files}}",
      paging: { kind: "cursor", cursor: "{{body.nextPageToken}}", size: 200 },
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
    sheets: {
      title: "Sheets",
      request: { path: file, query: { fields: "sheets.properties(sheetId,title)" } },
      items: "{{body.sheets}}",
      value: "{{item.properties.title}}",
      label: "{{item.properties.title}}",
    },
  },
  actions: {
    append_row: {
      title: "Add a row",
      description: "Adds a row below the last one, with values by the names in the first row.",
      synonyms: ["append", "insert", "log", "save"],
      input: {
        spreadsheet,
        sheet,
        values: {
          type: "array",
          title: "Values",
          description: "One for each column, from the left.",
          required: true,
          example: '["Ada", "ada@example.com", 12]',
        },
        asTyped,
      },
      prepare: ({ input }) => ({ range: wholeSheet(input["sheet"]), rows: [input["values"] ?? []] }),
      request: append,
      output: appended,
      sample: { range: "Orders!A12:C12", rows: 1, cells: 3 },
    },
    append_rows: {
      title: "Add several rows",
      description: "Adds rows below the last one.",
      synonyms: ["append", "bulk"],
      input: { spreadsheet, sheet, rows, asTyped },
      prepare: ({ input }) => ({ range: wholeSheet(input["sheet"]), rows: input["rows"] ?? [] }),
      request: append,
      output: appended,
      sample: { range: "Orders!A12:C13", rows: 2, cells: 6 },
    },
    read_rows: {
      title: "Read rows",
      description: "Reads all rows of a sheet as objects, with the names of the first row.",
      synonyms: ["list", "get", "find", "lookup"],
      input: { spreadsheet, sheet },
      prepare: ({ input }) => ({ range: wholeSheet(input["sheet"]) }),
      request: { path: values },
      parse: toRecords,
      items: "{{body.rows}}",
      sample: [{ rowNumber: 2, Name: "Ada", Email: "ada@example.com" }],
    },
    read_range: {
      title: "Read a range",
      description: "Reads the cells of a range as a list of rows.",
      synonyms: ["cells"],
      input: { spreadsheet, range },
      request: { path: `${file}/values/{{input.range}}` },
      output: { range: "{{body.range}}", values: "{{body.values}}" },
      sample: {
        range: "Orders!A1:B2",
        values: [
          ["Name", "Email"],
          ["Ada", "ada@example.com"],
        ],
      },
    },
    update_range: {
      title: "Change a range",
      description: "Writes values into a range, such as one row.",
      synonyms: ["edit", "set", "update row", "cell"],
      input: { spreadsheet, range, rows, asTyped },
      request: {
        method: "PUT",
        path: `${file}/values/{{input.range}}`,
        query: { valueInputOption: "{{input.asTyped}}" },
        body: { majorDimension: "ROWS", values: "{{input.rows}}" },
      },
      output: updated,
      sample: { range: "Orders!A2:C2", rows: 1, cells: 3 },
    },
    clear_range: {
      title: "Clear a range",
      description: "Empties the cells of a range and keeps their format.",
      synonyms: ["delete"],
      input: { spreadsheet, range },
      request: { method: "POST", path: `${file}/values/{{input.range}}:clear`, body: {} },
      output: { range: "{{body.clearedRange}}" },
      sample: { range: "Orders!A2:C20" },
    },
    create_spreadsheet: {
      title: "Create a spreadsheet",
      description: "Makes a new spreadsheet.",
      input: { title: { type: "string", title: "Title", required: true } },
      request: {
        method: "POST",
        path: "/v4/spreadsheets",
        body: { properties: { title: "{{input.title}}" } },
      },
      output: { id: "{{body.spreadsheetId}}", url: "{{body.spreadsheetUrl}}" },
      sample: {
        id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
        url: "https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
      },
    },
    add_sheet: {
      title: "Add a sheet",
      description: "Adds an empty sheet to a spreadsheet.",
      synonyms: ["tab"],
      input: { spreadsheet, title: { type: "string", title: "Title", required: true } },
      request: {
        method: "POST",
        path: `${file}:batchUpdate`,
        body: { requests: [{ addSheet: { properties: { title: "{{input.title}}" } } }] },
      },
      output: "{{body.replies.0.addSheet.properties}}",
      sample: { sheetId: 1749216434, title: "March", index: 1 },
    },
  },
  triggers: {
    new_row: {
      title: "New row",
      description: "Starts a run for each row that is added at the end of a sheet.",
      synonyms: ["added", "form answer"],
      input: { spreadsheet, sheet },
      polling: {
        prepare: ({ input }) => ({ range: wholeSheet(input["sheet"]) }),
        request: { path: values },
        parse: toRecords,
        items: "{{body.rows}}",
        key: "{{item.rowNumber}}",
        name: "Row {{item.rowNumber}}",
        order: "oldest_first",
      },
      sample: { rowNumber: 2, Name: "Ada", Email: "ada@example.com" },
    },
  },
});
