import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const project: AppField = {
  type: "string",
  title: "Project",
  description: "Its key.",
  required: true,
  options: "projects",
  example: "SUP",
};
const issue: AppField = {
  type: "string",
  title: "Issue",
  description: "The key or id of an issue.",
  required: true,
  example: "SUP-42",
};
const text: AppField = {
  type: "string",
  title: "Text",
  description: "Each line becomes a paragraph.",
  format: "multiline",
};
const assignee: AppField = { type: "string", title: "Assignee", options: "users", advanced: true };
const labels: AppField = { type: "array", title: "Labels", items: { type: "string" }, advanced: true };
const more: AppField = {
  type: "object",
  title: "Other fields",
  description: "In Jira's form, by id.",
  example: '{ "priority": { "name": "High" } }',
  advanced: true,
};

const issueItem = {
  key: "{{item.key}}",
  id: "{{item.id}}",
  summary: "{{item.fields.summary}}",
  status: "{{item.fields.status.name}}",
  type: "{{item.fields.issuetype.name}}",
  priority: "{{item.fields.priority.name}}",
  assignee: "{{item.fields.assignee.displayName}}",
  createdAt: "{{item.fields.created}}",
  updatedAt: "{{item.fields.updated}}",
};
const itemSample = {
  key: "SUP-42",
  id: "10002",
  summary: "Main order flow broken",
  status: "In Progress",
  type: "Bug",
  priority: "High",
  assignee: "Mia Krystof",
  createdAt: "2026-01-12T09:30:00.000+0000",
  updatedAt: "2026-01-12T10:00:00.000+0000",
};
const FIELDS = "summary,status,issuetype,priority,assignee,created,updated";
const search = (jql: string) => ({
  request: {
    path: "/rest/api/3/search/jql",
    query: { jql, fields: FIELDS, maxResults: "{{pageSize}}", nextPageToken: "{{cursor}}" },
  },
  items: "{{body.issues}}",
  paging: { kind: "cursor", cursor: "{{body.nextPageToken}}", size: 100 } as const,
  output: issueItem,
});

/** Jira accepts texts only in the Atlassian Document Format. */
function documentOf(text: unknown) {
  if (typeof text !== "string" || text === "") return null;
  const content = text
    .split("\n")
    .map((line) => ({ type: "paragraph", content: line === "" ? [] : [{ type: "text", text: line }] }));
  return { type: "doc", version: 1, content };
}

/** A text in quotes of the query language. */
const quoted = (value: unknown) => `"${String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

export const jira = defineApp({
  id: "jira",
  title: "Jira",
  description: "Create, change and find issues of Jira Cloud.",
  category: "development",
  synonyms: ["issue", "ticket", "bug", "atlassian", "task"],
  icon: { letters: "Ji", color: "#0052cc" },
  documentation: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/",
  baseUrl: "https://{{connection.site}}.atlassian.net",
  hosts: ["{{connection.site}}.atlassian.net"],
  fields: {
    site: {
      type: "string",
      title: "Site",
      description: "The first part of your address: acme of acme.atlassian.net.",
      required: true,
      example: "acme",
    },
  },
  auth: [
    {
      kind: "basic",
      username: "Email",
      password: "API token",
      help: "Create a token at https://id.atlassian.com/manage-profile/security/api-tokens.",
    },
  ],
  test: { request: { path: "/rest/api/3/myself" }, account: "{{body.emailAddress}}" },
  errors: {
    message: "{{body.errorMessages.0}}",
    words: {
      "404": "Jira found nothing there, or the account may not see it.",
    },
  },
  options: {
    projects: {
      title: "Projects",
      request: {
        path: "/rest/api/3/project/search",
        query: { query: "{{search}}", startAt: "{{offset}}", maxResults: "{{pageSize}}" },
      },
      search: true,
      items: "{{body.values}}",
      paging: { kind: "offset", size: 50 },
      value: "{{item.key}}",
      label: "{{item.name}} ({{item.key}})",
    },
    types: {
      title: "Issue types",
      request: { path: "/rest/api/3/project/{{input.project}}" },
      items: "{{body.issueTypes}}",
      value: "{{item.name}}",
      label: "{{item.name}}",
    },
    users: {
      title: "People",
      request: {
        path: "/rest/api/3/users/search",
        query: { startAt: "{{offset}}", maxResults: "{{pageSize}}" },
      },
      items: "{{body}}",
      paging: { kind: "offset", size: 100 },
      value: "{{item.accountId}}",
      label: "{{item.displayName}}",
    },
    transitions: {
      title: "Next states",
      request: { path: "/rest/api/3/issue/{{input.issue}}/transitions" },
      items: "{{body.transitions}}",
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    create_issue: {
      title: "Create an issue",
      description: "Adds an issue to a project.",
      synonyms: ["ticket", "bug", "task"],
      input: {
        project,
        type: {
          type: "string",
          title: "Type",
          required: true,
          options: "types",
          dependsOn: ["project"],
          example: "Bug",
        },
        summary: { type: "string", title: "Summary", required: true, maxLength: 255 },
        description: { ...text, title: "Description" },
        assignee,
        labels,
        fields: more,
      },
      prepare: ({ input }) => ({
        fields: {
          project: { key: input["project"] ?? "" },
          issuetype: { name: input["type"] ?? "" },
          summary: input["summary"] ?? "",
          ...(input["description"] !== undefined && { description: documentOf(input["description"]) }),
          ...(input["assignee"] !== undefined && { assignee: { accountId: input["assignee"] } }),
          ...(input["labels"] !== undefined && { labels: input["labels"] }),
          ...(input["fields"] as object | undefined),
        },
      }),
      request: { method: "POST", path: "/rest/api/3/issue", body: { fields: "{{prepared.fields}}" } },
      output: { id: "{{body.id}}", key: "{{body.key}}" },
      sample: { id: "10000", key: "SUP-24" },
    },
    update_issue: {
      title: "Change an issue",
      description: "Changes the summary, description, assignee or labels of an issue.",
      synonyms: ["edit", "assign"],
      input: {
        issue,
        summary: { type: "string", title: "Summary", maxLength: 255 },
        description: { ...text, title: "Description" },
        assignee,
        labels,
        fields: more,
      },
      prepare: ({ input }) => ({
        fields: {
          ...(input["summary"] !== undefined && { summary: input["summary"] }),
          ...(input["description"] !== undefined && { description: documentOf(input["description"]) }),
          ...(input["assignee"] !== undefined && { assignee: { accountId: input["assignee"] } }),
          ...(input["labels"] !== undefined && { labels: input["labels"] }),
          ...(input["fields"] as object | undefined),
        },
      }),
      request: {
        method: "PUT",
        path: "/rest/api/3/issue/{{input.issue}}",
        body: { fields: "{{prepared.fields}}" },
      },
      sample: null,
    },
    move_issue: {
      title: "Move an issue to another state",
      description: "Performs a transition, such as to Done.",
      synonyms: ["transition", "close", "status"],
      input: {
        issue,
        transition: {
          type: "string",
          title: "To",
          required: true,
          options: "transitions",
          dependsOn: ["issue"],
        },
      },
      request: {
        method: "POST",
        path: "/rest/api/3/issue/{{input.issue}}/transitions",
        body: { transition: { id: "{{input.transition}}" } },
      },
      sample: null,
    },
    get_issue: {
      title: "Get an issue",
      description: "Reads one issue.",
      input: { issue },
      request: { path: "/rest/api/3/issue/{{input.issue}}" },
      output: {
        key: "{{body.key}}",
        id: "{{body.id}}",
        summary: "{{body.fields.summary}}",
        status: "{{body.fields.status.name}}",
        fields: "{{body.fields}}",
      },
      sample: {
        key: "SUP-42",
        id: "10002",
        summary: "Main order flow broken",
        status: "In Progress",
        fields: { summary: "Main order flow broken", status: { name: "In Progress" } },
      },
    },
    search_issues: {
      title: "Search issues",
      description: "Finds issues with a query in JQL.",
      synonyms: ["find", "list", "jql"],
      input: {
        jql: {
          type: "string",
          title: "JQL",
          required: true,
          example: "project = SUP and status = Open order by created desc",
        },
      },
      ...search("{{input.jql}}"),
      sample: [itemSample],
    },
    add_comment: {
      title: "Add a comment",
      description: "Comments on an issue.",
      synonyms: ["reply"],
      input: { issue, text: { ...text, required: true } },
      prepare: ({ input }) => ({ body: documentOf(input["text"]) }),
      request: {
        method: "POST",
        path: "/rest/api/3/issue/{{input.issue}}/comment",
        body: { body: "{{prepared.body}}" },
      },
      output: { id: "{{body.id}}", createdAt: "{{body.created}}", author: "{{body.author.displayName}}" },
      sample: { id: "10000", createdAt: "2021-01-17T12:34:00.000+0000", author: "Mia Krystof" },
    },
  },
  triggers: {
    new_issue: {
      title: "New issue",
      description: "Starts a run for each new issue of a project.",
      synonyms: ["ticket", "created"],
      input: { project },
      polling: {
        prepare: ({ input }) => ({ jql: `project = ${quoted(input["project"])} order by created desc` }),
        ...search("{{prepared.jql}}"),
        key: "{{item.id}}",
        name: "{{item.key}} {{item.fields.summary}}",
        order: "newest_first",
      },
      sample: itemSample,
    },
    changed_issue: {
      title: "Changed issue",
      description: "Starts a run each time an issue of a project changes.",
      synonyms: ["updated"],
      input: { project },
      polling: {
        prepare: ({ input }) => ({ jql: `project = ${quoted(input["project"])} order by updated desc` }),
        ...search("{{prepared.jql}}"),
        key: "{{item.id}}:{{item.fields.updated}}",
        name: "{{item.key}} {{item.fields.summary}}",
        order: "newest_first",
      },
      sample: itemSample,
    },
  },
});
