import { googleSheets } from "../../apps/google-sheets.ts";
import fixture from "./fixtures/google-sheets.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const spreadsheet = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";
const where = { spreadsheet, sheet: "Orders" };
const table = {
  range: "Orders!A1:B2",
  majorDimension: "ROWS",
  values: [
    ["Name", "Email"],
    ["Ada", "ada@example.com"],
  ],
};
const appended = (updatedRange: string, updatedRows: number, updatedCells: number) => ({
  body: {
    spreadsheetId: spreadsheet,
    tableRange: "Orders!A1:C11",
    updates: { updatedRange, updatedRows, updatedCells },
  },
});

export const googleSheetsExamples: AppExamples = {
  app: googleSheets,
  source: "https://developers.google.com/workspace/sheets/api/samples/reading",
  fixture,
  test: {
    body: { user: { displayName: "Ada", emailAddress: "ada@example.com" } },
    account: "ada@example.com",
  },
  actions: {
    append_row: {
      input: { ...where, values: ["Ada", "ada@example.com", 12], asTyped: "USER_ENTERED" },
      answer: appended("Orders!A12:C12", 1, 3),
    },
    append_rows: {
      input: {
        ...where,
        rows: [
          ["Ada", "ada@example.com", 12],
          ["Grace", "grace@example.com", 7],
        ],
      },
      answer: appended("Orders!A12:C13", 2, 6),
    },
    read_rows: { input: { spreadsheet, sheet: "Ada's orders" }, answer: { body: table } },
    read_range: { input: { spreadsheet, range: "Orders!A1:B2" }, answer: { body: table } },
    update_range: {
      input: { spreadsheet, range: "Orders!A2:C2", rows: [["Ada", "ada@example.com", 13]] },
      answer: {
        body: {
          spreadsheetId: spreadsheet,
          updatedRange: "Orders!A2:C2",
          updatedRows: 1,
          updatedColumns: 3,
          updatedCells: 3,
        },
      },
    },
    clear_range: {
      input: { spreadsheet, range: "Orders!A2:C20" },
      answer: { body: { spreadsheetId: spreadsheet, clearedRange: "Orders!A2:C20" } },
    },
    create_spreadsheet: {
      input: { title: "Orders" },
      answer: {
        body: {
          spreadsheetId: spreadsheet,
          spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit`,
        },
      },
    },
    add_sheet: {
      input: { spreadsheet, title: "March" },
      answer: {
        body: {
          spreadsheetId: spreadsheet,
          replies: [{ addSheet: { properties: { sheetId: 1749216434, title: "March", index: 1 } } }],
        },
      },
    },
  },
  options: {
    spreadsheets: {
      pages: [
        { body: { nextPageToken: "~!!~AI9FV7S", files: [{ id: spreadsheet, name: "Orders" }] } },
        { body: { files: [{ id: "2CyjNWt1YSB6oGNeLwCeCakhmVVrquM", name: "Budget" }] } },
      ],
      first: { value: spreadsheet, label: "Orders" },
    },
    sheets: {
      input: { spreadsheet },
      answer: { body: { sheets: [{ properties: { sheetId: 0, title: "Orders" } }] } },
      first: { value: "Orders", label: "Orders" },
    },
  },
  triggers: { new_row: { kind: "polling", input: where, answer: { body: table } } },
  errors: [
    {
      status: 404,
      body: { error: { code: 404, message: "Requested entity was not found.", status: "NOT_FOUND" } },
      says: "Google Sheets: Google found nothing there, or the account has no access to it.",
    },
    {
      status: 400,
      body: { error: { code: 400, message: "Unable to parse range: Ordrs!A1", status: "INVALID_ARGUMENT" } },
      says: "Google Sheets: Unable to parse range: Ordrs!A1",
    },
  ],
};
