import { airtable } from "../../apps/airtable.ts";
import type { AppExamples } from "./support/app-examples.ts";

const base = "appLkNDICXNqxSDhG";
const table = "tbltp8DGLhqbUmjK1";
const where = { base, table };
const path = `/v0/${base}/${table}`;
const fields = { Name: "Union Square", Address: "333 Post St" };
const record = { id: "rec560UJdUtocSouk", createdTime: "2022-09-12T21:03:48.000Z", fields };
const second = { ...record, id: "rec3lbPRG4aVqkeOQ" };
const recordId = record.id;
const pages = (query: string) => ({
  pages: [
    { body: { records: [record], offset: "itrEN2TCbrcSN2BMs/rec560UJdUtocSouk" } },
    { body: { records: [second] } },
  ] as [object, object],
  request: { method: "GET", path: `${path}?${query}` },
});

export const airtableExamples: AppExamples = {
  app: airtable,
  source: "https://airtable.com/developers/web/api/list-records",
  fixture: null,
  test: { body: { id: "usrL2PNC5o3H4lBEi", scopes: ["account.info"] }, account: "usrL2PNC5o3H4lBEi" },
  actions: {
    list_records: {
      input: {
        ...where,
        formula: "{Status} = 'New'",
        view: "Grid view",
        sortField: "Name",
        sortDirection: "asc",
      },
      ...pages(
        "filterByFormula=%7BStatus%7D+%3D+%27New%27&view=Grid+view&sort%5B0%5D%5Bfield%5D=Name&sort%5B0%5D%5Bdirection%5D=asc&pageSize=100",
      ),
    },
    get_record: {
      input: { ...where, recordId },
      answer: { body: record },
      request: { method: "GET", path: `${path}/${recordId}` },
    },
    create_record: {
      input: { ...where, fields, typecast: true },
      answer: { body: record },
      request: { method: "POST", path, body: { fields, typecast: true } },
    },
    create_records: {
      input: { ...where, records: [fields] },
      answer: { body: { records: [record] } },
      request: { method: "POST", path, body: { records: [{ fields }] } },
    },
    update_record: {
      input: { ...where, recordId, fields },
      answer: { body: record },
      request: { method: "PATCH", path: `${path}/${recordId}`, body: { fields } },
    },
    upsert_record: {
      input: { ...where, keys: ["Name"], fields },
      answer: { body: { records: [record], createdRecords: [], updatedRecords: [recordId] } },
      request: {
        method: "PATCH",
        path,
        body: { performUpsert: { fieldsToMergeOn: ["Name"] }, records: [{ fields }] },
      },
    },
    delete_record: {
      input: { ...where, recordId },
      answer: { body: { id: recordId, deleted: true } },
      request: { method: "DELETE", path: `${path}/${recordId}` },
    },
  },
  options: {
    bases: {
      pages: [
        {
          body: {
            bases: [{ id: base, name: "Apartment Hunting", permissionLevel: "create" }],
            offset: "itr23sEjsdfEr3282",
          },
        },
        { body: { bases: [{ id: "appSW9R5uCNmRmfl6", name: "Project Tracker" }] } },
      ],
      request: { method: "GET", path: "/v0/meta/bases" },
      first: { value: base, label: "Apartment Hunting" },
    },
    tables: {
      input: { base },
      answer: { body: { tables: [{ id: table, name: "Apartments" }] } },
      request: { method: "GET", path: `/v0/meta/bases/${base}/tables` },
      first: { value: table, label: "Apartments" },
    },
  },
  triggers: {
    new_record: {
      kind: "polling",
      input: where,
      ...pages(
        "filterByFormula=IS_AFTER%28CREATED_TIME%28%29%2C+DATEADD%28NOW%28%29%2C+-2%2C+%27days%27%29%29&pageSize=100",
      ),
    },
  },
  errors: [
    {
      status: 422,
      body: { error: { type: "UNKNOWN_FIELD_NAME", message: 'Unknown field name: "Nmae"' } },
      says: "Airtable: The table has no field with one of these names. Names count with their spaces and capitals.",
    },
    {
      status: 422,
      body: {
        error: {
          type: "INVALID_VALUE_FOR_COLUMN",
          message: 'Field "Total" cannot accept the provided value',
        },
      },
      says: 'Airtable: Field "Total" cannot accept the provided value',
    },
  ],
};
