import { hubspot } from "../../apps/hubspot.ts";
import fixture from "./fixtures/hubspot.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const record = {
  id: "512",
  properties: { email: "mark.s@lumon.industries", lastname: "S.", createdate: "2025-04-16T21:00:51.906Z" },
  createdAt: "2025-04-16T21:00:51.906Z",
  updatedAt: "2025-04-16T21:00:51.906Z",
};
const properties = { lastname: "S." };
const pages: [object, object] = [
  { body: { results: [record], paging: { next: { after: "NTI1Cg%3D%3D" } } } },
  { body: { results: [{ ...record, id: "513" }] } },
];
const object = "contacts";

export const hubspotExamples: AppExamples = {
  app: hubspot,
  source: "https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide",
  fixture,
  test: { body: { portalId: 1234567, timeZone: "US/Eastern" }, account: "1234567" },
  actions: {
    upsert_contact: {
      input: { email: "mark.s@lumon.industries", properties },
      answer: { body: { status: "COMPLETE", results: [{ ...record, new: false }] } },
    },
    create_record: { input: { object, properties }, answer: { status: 201, body: record } },
    update_record: { input: { object, id: "512", properties }, answer: { body: record } },
    get_record: { input: { object, id: "512", properties: "email,lastname" }, answer: { body: record } },
    list_records: { input: { object, properties: "email,lastname" }, pages },
    search_records: {
      input: { object, property: "email", operator: "EQ", value: "mark.s@lumon.industries" },
      pages,
    },
    delete_record: { input: { object, id: "512" }, answer: { status: 204 } },
    add_note: {
      input: { contact: "512", text: "Called, wants an offer." },
      answer: { status: 201, body: { ...record, properties: { hs_note_body: "Called, wants an offer." } } },
    },
  },
  options: {
    owners: {
      pages: [
        {
          body: {
            results: [{ id: "41629779", email: "jane@example.com" }],
            paging: { next: { after: "NTI1Cg%3D%3D" } },
          },
        },
        { body: { results: [] } },
      ],
      request: { method: "GET", path: "/crm/v3/owners?limit=100" },
      first: { value: "41629779", label: "jane@example.com" },
    },
  },
  triggers: {
    new_record: { kind: "polling", input: { object }, pages },
    changed_record: { kind: "polling", input: { object: "companies" }, pages },
  },
  errors: [
    {
      status: 404,
      body: { status: "error", message: "resource not found", category: "OBJECT_NOT_FOUND" },
      says: "HubSpot: HubSpot knows no record with this id.",
    },
    {
      status: 400,
      body: { status: "error", message: "Property values were not valid", category: "VALIDATION_ERROR" },
      says: "HubSpot: Property values were not valid",
    },
  ],
};
