import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const objectTypes = ["contacts", "companies", "deals", "tickets"];
const objectType: AppField = { type: "string", title: "Object", required: true, enum: objectTypes };
const id: AppField = { type: "string", title: "Id", required: true, example: "512" };
const properties: AppField = {
  type: "object",
  title: "Properties",
  description: "Values by the internal name of the property.",
  required: true,
  example: '{ "email": "ada@example.com", "firstname": "Ada" }',
};
const names: AppField = {
  type: "string",
  title: "Properties to read",
  description: "Internal names, separated by commas.",
  advanced: true,
};

const record = {
  id: "{{body.id}}",
  properties: "{{body.properties}}",
  createdAt: "{{body.createdAt}}",
  updatedAt: "{{body.updatedAt}}",
};
const recordSample = {
  id: "512",
  properties: { email: "mark.s@lumon.industries", lastname: "S.", createdate: "2025-04-16T21:00:51.906Z" },
  createdAt: "2025-04-16T21:00:51.906Z",
  updatedAt: "2025-04-16T21:00:51.906Z",
};
const objects = "/crm/v3/objects/{{input.object}}";
const list = { kind: "cursor", cursor: "{{body.paging.next.after}}", size: 100 } as const;
const byTime = (property: string) => ({
  method: "POST" as const,
  path: `${objects}/search`,
  body: {
    sorts: [{ propertyName: property, direction: "DESCENDING" }],
    limit: "{{pageSize}}",
    after: "{{cursor}}",
  },
});

export const hubspot = defineApp({
  id: "hubspot",
  title: "HubSpot",
  description: "Contacts, companies, deals and tickets of your CRM.",
  category: "sales",
  synonyms: ["crm", "lead", "contact", "deal", "marketing"],
  icon: { letters: "Hu", color: "#ff7a59" },
  documentation: "https://developers.hubspot.com/docs/api-reference/overview",
  baseUrl: "https://api.hubapi.com",
  hosts: ["api.hubapi.com"],
  auth: [
    {
      kind: "bearer",
      title: "Private app token",
      help: "Create a private app under Settings → Integrations → Private apps, with the CRM scopes you need.",
    },
    {
      kind: "oauth2",
      authorizationUrl: "https://app.hubspot.com/oauth/authorize",
      tokenUrl: "https://api.hubapi.com/oauth/v1/token",
      scopes: [
        "oauth",
        "crm.objects.contacts.read",
        "crm.objects.contacts.write",
        "crm.objects.companies.read",
        "crm.objects.companies.write",
        "crm.objects.deals.read",
        "crm.objects.deals.write",
        "tickets",
      ],
      help: "Create a public app at https://developers.hubspot.com.",
    },
  ],
  test: { request: { path: "/account-info/v3/details" }, account: "{{body.portalId}}" },
  errors: {
    code: "{{body.category}}",
    message: "{{body.message}}",
    words: {
      OBJECT_NOT_FOUND: "HubSpot knows no record with this id.",
      CONFLICT: "HubSpot has this record already. Use “Create or change a contact”.",
      MISSING_SCOPES:
        "The connection lacks a scope for this. Add it to the app in HubSpot and connect again.",
    },
    expired: ["EXPIRED_AUTHENTICATION"],
  },
  options: {
    owners: {
      title: "Owners",
      request: { path: "/crm/v3/owners", query: { limit: "{{pageSize}}", after: "{{cursor}}" } },
      items: "{{body.results}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.email}}",
    },
  },
  actions: {
    upsert_contact: {
      title: "Create or change a contact",
      description: "Changes the contact with an email address, or adds it.",
      synonyms: ["lead", "upsert", "sync"],
      input: {
        email: {
          type: "string",
          title: "Email",
          format: "email",
          required: true,
          example: "ada@example.com",
        },
        properties: { ...properties, example: '{ "firstname": "Ada", "phone": "+44 20 7946 0000" }' },
      },
      request: {
        method: "POST",
        path: "/crm/v3/objects/contacts/batch/upsert",
        body: {
          inputs: [{ idProperty: "email", id: "{{input.email}}", properties: "{{input.properties}}" }],
        },
      },
      output: "{{body.results.0}}",
      sample: { ...recordSample, new: false },
    },
    create_record: {
      title: "Create a record",
      description: "Adds a contact, company, deal or ticket.",
      synonyms: ["lead", "add"],
      input: { object: objectType, properties },
      request: { method: "POST", path: objects, body: { properties: "{{input.properties}}" } },
      output: record,
      sample: recordSample,
    },
    update_record: {
      title: "Change a record",
      description: "Changes the given properties of a record and leaves the others.",
      synonyms: ["edit", "stage"],
      input: { object: objectType, id, properties },
      request: {
        method: "PATCH",
        path: `${objects}/{{input.id}}`,
        body: { properties: "{{input.properties}}" },
      },
      output: record,
      sample: recordSample,
    },
    get_record: {
      title: "Get a record",
      description: "Reads one record.",
      input: { object: objectType, id, properties: names },
      request: { path: `${objects}/{{input.id}}`, query: { properties: "{{input.properties}}" } },
      output: record,
      sample: recordSample,
    },
    list_records: {
      title: "List records",
      description: "Lists the records of one kind.",
      input: { object: objectType, properties: names },
      request: {
        path: objects,
        query: { properties: "{{input.properties}}", limit: "{{pageSize}}", after: "{{cursor}}" },
      },
      items: "{{body.results}}",
      paging: list,
      sample: [recordSample],
    },
    search_records: {
      title: "Search records",
      description: "Finds records by the value of a property.",
      synonyms: ["find", "lookup", "filter"],
      writes: false,
      input: {
        object: objectType,
        property: {
          type: "string",
          title: "Property",
          description: "Its internal name.",
          required: true,
          example: "email",
        },
        operator: {
          type: "string",
          title: "Is",
          enum: ["EQ", "NEQ", "LT", "LTE", "GT", "GTE", "CONTAINS_TOKEN", "HAS_PROPERTY", "NOT_HAS_PROPERTY"],
          default: "EQ",
        },
        value: { type: "string", title: "Value" },
      },
      request: {
        method: "POST",
        path: `${objects}/search`,
        body: {
          filterGroups: [
            {
              filters: [
                {
                  propertyName: "{{input.property}}",
                  operator: "{{input.operator}}",
                  value: "{{input.value}}",
                },
              ],
            },
          ],
          limit: "{{pageSize}}",
          after: "{{cursor}}",
        },
      },
      items: "{{body.results}}",
      paging: list,
      sample: [recordSample],
    },
    delete_record: {
      title: "Delete a record",
      description: "Moves a record to the recycling bin.",
      synonyms: ["archive", "remove"],
      input: { object: objectType, id },
      request: { method: "DELETE", path: `${objects}/{{input.id}}` },
      sample: null,
    },
    add_note: {
      title: "Add a note to a contact",
      description: "Writes a note to the timeline of a contact.",
      synonyms: ["log", "activity"],
      input: {
        contact: { type: "string", title: "Contact", description: "The id of the contact.", required: true },
        text: { type: "string", title: "Text", format: "multiline", required: true },
      },
      prepare: () => ({ now: new Date().toISOString() }),
      request: {
        method: "POST",
        path: "/crm/v3/objects/notes",
        body: {
          properties: { hs_note_body: "{{input.text}}", hs_timestamp: "{{prepared.now}}" },
          associations: [
            {
              to: { id: "{{input.contact}}" },
              types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 202 }],
            },
          ],
        },
      },
      output: record,
      sample: { ...recordSample, properties: { hs_note_body: "Called, wants an offer." } },
    },
  },
  triggers: {
    new_record: {
      title: "New record",
      description: "Starts a run for each new contact, company, deal or ticket.",
      synonyms: ["lead", "created"],
      input: { object: objectType },
      polling: {
        request: byTime("createdate"),
        items: "{{body.results}}",
        paging: list,
        key: "{{item.id}}",
        name: "{{item.id}}",
        order: "newest_first",
      },
      sample: recordSample,
    },
    changed_record: {
      title: "Changed record",
      description: "Starts a run each time a company, deal or ticket changes.",
      synonyms: ["updated", "stage"],
      input: { object: { ...objectType, enum: ["companies", "deals", "tickets"] } },
      polling: {
        request: byTime("hs_lastmodifieddate"),
        items: "{{body.results}}",
        paging: list,
        key: "{{item.id}}:{{item.updatedAt}}",
        name: "{{item.id}}",
        order: "newest_first",
      },
      sample: recordSample,
    },
  },
});
