import { jira } from "../../apps/jira.ts";
import fixture from "./fixtures/jira.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const item = {
  key: "SUP-42",
  id: "10002",
  fields: {
    summary: "Main order flow broken",
    status: { name: "In Progress" },
    issuetype: { name: "Bug" },
    priority: { name: "High" },
    assignee: { displayName: "Mia Krystof" },
    created: "2026-01-12T09:30:00.000+0000",
    updated: "2026-01-12T10:00:00.000+0000",
  },
};
const FIELDS = "fields=summary%2Cstatus%2Cissuetype%2Cpriority%2Cassignee%2Ccreated%2Cupdated&maxResults=100";
/** The description is older than this operation. */
const found = (jql: string) => ({
  pages: [
    { body: { issues: [item], nextPageToken: "CAEaAggD" } },
    { body: { issues: [{ ...item, id: "10003" }], isLast: true } },
  ] as [object, object],
  request: { method: "GET", path: `/rest/api/3/search/jql?jql=${jql}&${FIELDS}` },
});
const fields = { priority: { name: "High" } };
const accountId = "5b10a2844c20165700ede21g";

export const jiraExamples: AppExamples = {
  app: jira,
  source: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/",
  fixture,
  fields: { site: "acme" },
  test: { body: { accountId, emailAddress: "mia@example.com" }, account: "mia@example.com" },
  actions: {
    create_issue: {
      input: {
        project: "SUP",
        type: "Bug",
        summary: "Main order flow broken",
        description: "It fails.\n\nAlways.",
        assignee: accountId,
        labels: ["shop"],
        fields,
      },
      answer: {
        status: 201,
        body: { id: "10000", key: "SUP-24", self: "https://acme.atlassian.net/rest/api/3/issue/10000" },
      },
    },
    update_issue: {
      input: {
        issue: "SUP-24",
        summary: "New",
        description: "Text",
        assignee: accountId,
        labels: ["shop"],
        fields,
      },
      answer: { status: 204 },
      request: {
        method: "PUT",
        path: "/rest/api/3/issue/SUP-24",
        body: {
          fields: {
            summary: "New",
            description: {
              type: "doc",
              version: 1,
              content: [{ type: "paragraph", content: [{ type: "text", text: "Text" }] }],
            },
            assignee: { accountId },
            labels: ["shop"],
            priority: { name: "High" },
          },
        },
      },
    },
    move_issue: { input: { issue: "SUP-24", transition: "31" }, answer: { status: 204 } },
    get_issue: {
      input: { issue: "SUP-42" },
      answer: {
        body: {
          id: "10002",
          key: "SUP-42",
          fields: { summary: "Main order flow broken", status: { name: "In Progress" } },
        },
      },
    },
    search_issues: { input: { jql: "project = SUP" }, ...found("project+%3D+SUP") },
    add_comment: {
      input: { issue: "SUP-42", text: "On it." },
      answer: {
        status: 201,
        body: {
          id: "10000",
          created: "2021-01-17T12:34:00.000+0000",
          author: { displayName: "Mia Krystof" },
        },
      },
    },
  },
  options: {
    projects: {
      pages: [
        {
          body: {
            values: Array.from({ length: 50 }, () => ({ key: "SUP", name: "Support" })),
            isLast: false,
          },
        },
        { body: { values: [], isLast: true } },
      ],
      first: { value: "SUP", label: "Support (SUP)" },
    },
    types: {
      input: { project: "SUP" },
      answer: { body: { key: "SUP", issueTypes: [{ id: "1", name: "Bug" }] } },
      first: { value: "Bug", label: "Bug" },
    },
    users: {
      pages: [
        { body: Array.from({ length: 100 }, () => ({ accountId, displayName: "Mia Krystof" })) },
        { body: [] },
      ],
      first: { value: accountId, label: "Mia Krystof" },
    },
    transitions: {
      input: { issue: "SUP-42" },
      answer: { body: { transitions: [{ id: "31", name: "Done" }] } },
      first: { value: "31", label: "Done" },
    },
  },
  triggers: {
    new_issue: {
      kind: "polling",
      input: { project: 'S"UP' },
      ...found("project+%3D+%22S%5C%22UP%22+order+by+created+desc"),
    },
    changed_issue: {
      kind: "polling",
      input: { project: "SUP" },
      ...found("project+%3D+%22SUP%22+order+by+updated+desc"),
    },
  },
  errors: [
    {
      status: 404,
      body: { errorMessages: ["Issue does not exist or you do not have permission to see it."], errors: {} },
      says: "Jira: Jira found nothing there, or the account may not see it.",
    },
    {
      status: 400,
      body: { errorMessages: ["The value 'SUPP' does not exist for the field 'project'."], errors: {} },
      says: "Jira: The value 'SUPP' does not exist for the field 'project'.",
    },
  ],
};
