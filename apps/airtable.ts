import { defineApp } from "./define-app.ts";

const base = {
  type: "string",
  title: "Base",
  required: true,
  options: "bases",
  example: "appXXXXXXXXXXXXXX",
} as const;
const table = {
  type: "string",
  title: "Table",
  description: "The id or the name of a table.",
  required: true,
  options: "tables",
  dependsOn: ["base"],
  example: "tblXXXXXXXXXXXXXX",
} as const;
const recordId = {
  type: "string",
  title: "Record",
  description: "The id of a record.",
  required: true,
  example: "recXXXXXXXXXXXXXX",
} as const;
const fields = {
  type: "object",
  title: "Fields",
  description: "The values by the name of their field.",
  required: true,
  example: '{ "Name": "Ada", "Status": "New" }',
} as const;
const typecast = {
  type: "boolean",
  title: "Convert values",
  description: "Airtable converts texts into the type of the field, and adds missing choices.",
  advanced: true,
} as const;

const records = "/{{input.base}}/{{input.table}}";
const record = { id: "{{body.id}}", createdTime: "{{body.createdTime}}", fields: "{{body.fields}}" };
const recordSample = {
  id: "rec560UJdUtocSouk",
  createdTime: "2022-09-12T21:03:48.000Z",
  fields: { Name: "Union Square", Address: "333 Post St" },
};

export const airtable = defineApp({
  id: "airtable",
  title: "Airtable",
  description: "Read and change the records of a base.",
  category: "data",
  synonyms: ["table", "database", "spreadsheet", "rows"],
  icon: { letters: "At", color: "#166ee1" },
  documentation: "https://airtable.com/developers/web/api/introduction",
  baseUrl: "https://api.airtable.com/v0",
  hosts: ["api.airtable.com"],
  auth: [
    {
      kind: "bearer",
      title: "Personal access token",
      help: "Create one at https://airtable.com/create/tokens with data.records:read, data.records:write and schema.bases:read.",
    },
    {
      kind: "oauth2",
      authorizationUrl: "https://airtable.com/oauth2/v1/authorize",
      tokenUrl: "https://airtable.com/oauth2/v1/token",
      scopes: ["data.records:read", "data.records:write", "schema.bases:read"],
      clientAuthentication: "basic",
      help: "Register an integration at https://airtable.com/create/oauth.",
    },
  ],
  test: { request: { path: "/meta/whoami" }, account: "{{body.id}}" },
  errors: {
    code: "{{body.error.type}}",
    message: "{{body.error.message}}",
    words: {
      NOT_FOUND: "Airtable found no such base, table or record.",
      INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND:
        "There is no such base or table, or the connection may not use it.",
      UNKNOWN_FIELD_NAME:
        "The table has no field with one of these names. Names count with their spaces and capitals.",
      INVALID_MULTIPLE_CHOICE_OPTIONS:
        'A choice does not exist in its field. Turn on "Convert values" to add it.',
    },
  },
  options: {
    bases: {
      title: "Bases",
      request: { path: "/meta/bases", query: { offset: "{{cursor}}" } },
      items: "{{body.bases}}",
      paging: { kind: "cursor", cursor: "{{body.offset}}", size: 1000 },
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
    tables: {
      title: "Tables",
      request: { path: "/meta/bases/{{input.base}}/tables" },
      items: "{{body.tables}}",
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    list_records: {
      title: "List records",
      description: "Reads the records of a table, all or those that a formula or view selects.",
      synonyms: ["search", "find", "query", "rows"],
      input: {
        base,
        table,
        formula: {
          type: "string",
          title: "Formula",
          description: "Only records for which it is true.",
          example: "{Status} = 'New'",
        },
        view: { type: "string", title: "View", description: "The records and the order of this view." },
        sortField: { type: "string", title: "Sort by", description: "The name of a field.", advanced: true },
        sortDirection: { type: "string", title: "Direction", enum: ["asc", "desc"], advanced: true },
      },
      request: {
        path: records,
        query: {
          filterByFormula: "{{input.formula}}",
          view: "{{input.view}}",
          "sort[0][field]": "{{input.sortField}}",
          "sort[0][direction]": "{{input.sortDirection}}",
          pageSize: "{{pageSize}}",
          offset: "{{cursor}}",
        },
      },
      items: "{{body.records}}",
      paging: { kind: "cursor", cursor: "{{body.offset}}", size: 100 },
      sample: [recordSample],
    },
    get_record: {
      title: "Get a record",
      description: "Reads one record.",
      input: { base, table, recordId },
      request: { path: `${records}/{{input.recordId}}` },
      output: record,
      sample: recordSample,
    },
    create_record: {
      title: "Create a record",
      description: "Adds a record to a table.",
      synonyms: ["add row", "insert"],
      input: { base, table, fields, typecast },
      request: {
        method: "POST",
        path: records,
        body: { fields: "{{input.fields}}", typecast: "{{input.typecast}}" },
      },
      output: record,
      sample: recordSample,
    },
    create_records: {
      title: "Create several records",
      description: "Adds up to ten records in one request.",
      synonyms: ["bulk", "rows"],
      input: {
        base,
        table,
        records: {
          type: "array",
          title: "Records",
          description: "The fields of each record.",
          items: { type: "object" },
          required: true,
          minItems: 1,
          maxItems: 10,
          example: '[{ "Name": "Ada" }, { "Name": "Grace" }]',
        },
        typecast,
      },
      prepare: ({ input }) => ({ records: (input["records"] as []).map((one) => ({ fields: one })) }),
      request: {
        method: "POST",
        path: records,
        body: { records: "{{prepared.records}}", typecast: "{{input.typecast}}" },
      },
      output: { records: "{{body.records}}" },
      sample: { records: [recordSample] },
    },
    update_record: {
      title: "Change a record",
      description: "Changes the given fields of a record and leaves the others.",
      synonyms: ["edit", "set"],
      input: { base, table, recordId, fields, typecast },
      request: {
        method: "PATCH",
        path: `${records}/{{input.recordId}}`,
        body: { fields: "{{input.fields}}", typecast: "{{input.typecast}}" },
      },
      output: record,
      sample: recordSample,
    },
    upsert_record: {
      title: "Create or change a record",
      description: "Changes the record whose key fields have the same values, or adds it.",
      synonyms: ["upsert", "sync", "merge"],
      input: {
        base,
        table,
        keys: {
          type: "array",
          title: "Key fields",
          items: { type: "string" },
          required: true,
          minItems: 1,
          maxItems: 3,
          example: '["Email"]',
        },
        fields,
        typecast,
      },
      request: {
        method: "PATCH",
        path: records,
        body: {
          performUpsert: { fieldsToMergeOn: "{{input.keys}}" },
          records: [{ fields: "{{input.fields}}" }],
          typecast: "{{input.typecast}}",
        },
      },
      output: {
        records: "{{body.records}}",
        created: "{{body.createdRecords}}",
        updated: "{{body.updatedRecords}}",
      },
      sample: { records: [recordSample], created: [], updated: ["rec560UJdUtocSouk"] },
    },
    delete_record: {
      title: "Delete a record",
      description: "Deletes one record.",
      synonyms: ["remove row"],
      input: { base, table, recordId },
      request: { method: "DELETE", path: `${records}/{{input.recordId}}` },
      output: { id: "{{body.id}}", deleted: "{{body.deleted}}" },
      sample: { id: "rec560UJdUtocSouk", deleted: true },
    },
  },
  triggers: {
    new_record: {
      title: "New record",
      description: "Starts a run for each new record of a table.",
      synonyms: ["row", "created"],
      input: { base, table, view: { type: "string", title: "View", advanced: true } },
      polling: {
        prepare: () => ({ formula: "IS_AFTER(CREATED_TIME(), DATEADD(NOW(), -2, 'days'))" }),
        request: {
          path: records,
          query: {
            filterByFormula: "{{prepared.formula}}",
            view: "{{input.view}}",
            pageSize: "{{pageSize}}",
            offset: "{{cursor}}",
          },
        },
        items: "{{body.records}}",
        paging: { kind: "cursor", cursor: "{{body.offset}}", size: 100 },
        key: "{{item.id}}",
        name: "{{item.id}}",
        order: "oldest_first",
      },
      sample: recordSample,
    },
  },
});
