import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";

const team: AppField = { type: "string", title: "Team", required: true, options: "teams" };
const issue: AppField = {
  type: "string",
  title: "Issue",
  description: "The id, or the identifier such as ENG-123.",
  required: true,
  example: "ENG-123",
};
const details: Record<string, AppField> = {
  description: { type: "string", title: "Description", description: "Markdown.", format: "multiline" },
  assignee: { type: "string", title: "Assignee", options: "users" },
  priority: {
    type: "integer",
    title: "Priority",
    description: "1 urgent, 2 high, 3 normal, 4 low, 0 none.",
    minimum: 0,
    maximum: 4,
    advanced: true,
  },
  dueDate: { type: "string", title: "Due date", format: "date", advanced: true },
  labels: {
    type: "array",
    title: "Labels",
    description: "Their ids.",
    items: { type: "string" },
    advanced: true,
  },
};
const changes = {
  title: "{{input.title}}",
  description: "{{input.description}}",
  assigneeId: "{{input.assignee}}",
  priority: "{{input.priority}}",
  dueDate: "{{input.dueDate}}",
  labelIds: "{{input.labels}}",
};

const FIELDS =
  "id identifier title description url priority createdAt updatedAt state { name } assignee { name email } team { key }";
const issueSample = {
  id: "2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9",
  identifier: "ENG-123",
  title: "Fix the login page",
  description: "It answers 500.",
  url: "https://linear.app/acme/issue/ENG-123/fix-the-login-page",
  priority: 2,
  createdAt: "2026-01-12T09:30:00.000Z",
  updatedAt: "2026-01-12T09:30:00.000Z",
  state: { name: "Todo" },
  assignee: null,
  team: { key: "ENG" },
};

const graphql = (query: string, variables: Record<string, string | Record<string, string>> = {}) =>
  ({ method: "POST", path: "/graphql", body: { query, variables } }) as const;
const paged = (path: string) =>
  ({
    items: `{{body.data.${path}.nodes}}`,
    paging: {
      kind: "cursor",
      cursor: `{{body.data.${path}.pageInfo.endCursor}}`,
      more: `{{body.data.${path}.pageInfo.hasNextPage}}`,
      size: 100,
    },
  }) as const;
const page = { first: "{{pageSize}}", after: "{{cursor}}" };

export const linear = defineApp({
  id: "linear",
  title: "Linear",
  description: "Create, change and find issues of your teams.",
  category: "development",
  synonyms: ["issue", "ticket", "bug", "project", "task"],
  icon: { letters: "Li", color: "#5e6ad2" },
  documentation: "https://linear.app/developers",
  baseUrl: "https://api.linear.app",
  hosts: ["api.linear.app"],
  auth: [
    {
      kind: "api_key",
      title: "Personal API key",
      in: "header",
      name: "authorization",
      help: "Create a key under Settings → Account → Security & access.",
    },
    {
      kind: "oauth2",
      authorizationUrl: "https://linear.app/oauth/authorize",
      tokenUrl: "https://api.linear.app/oauth/token",
      scopes: ["read", "write"],
      scopeSeparator: ",",
      help: "Create an application under Settings → API.",
    },
  ],
  test: {
    request: graphql("query { viewer { email organization { name } } }"),
    account: "{{body.data.viewer.email}}",
  },
  errors: {
    failed: "{{body.errors}}",
    code: "{{body.errors.0.extensions.code}}",
    message: "{{body.errors.0.extensions.userPresentableMessage}}",
    words: {
      ENTITY_NOT_FOUND: "Linear knows no such issue, team or person.",
      RATELIMITED: "Too many requests. Linear counts them by the hour: try again later.",
      FORBIDDEN: "The connection has no permission for this.",
    },
    expired: ["AUTHENTICATION_ERROR"],
  },
  options: {
    teams: {
      title: "Teams",
      request: graphql(
        "query Teams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id name key } pageInfo { hasNextPage endCursor } } }",
        page,
      ),
      ...paged("teams"),
      value: "{{item.id}}",
      label: "{{item.name}} ({{item.key}})",
    },
    users: {
      title: "People",
      request: graphql(
        "query Users($first: Int, $after: String) { users(first: $first, after: $after) { nodes { id name email } pageInfo { hasNextPage endCursor } } }",
        page,
      ),
      ...paged("users"),
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
    states: {
      title: "States",
      request: graphql(
        "query States($first: Int, $after: String) { workflowStates(first: $first, after: $after) { nodes { id name team { key } } pageInfo { hasNextPage endCursor } } }",
        page,
      ),
      ...paged("workflowStates"),
      value: "{{item.id}}",
      label: "{{item.team.key}} · {{item.name}}",
    },
  },
  actions: {
    create_issue: {
      title: "Create an issue",
      description: "Adds an issue to a team.",
      synonyms: ["ticket", "bug", "task"],
      input: { team, title: { type: "string", title: "Title", required: true }, ...details },
      request: graphql(
        `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${FIELDS} } } }`,
        {
          input: { teamId: "{{input.team}}", ...changes },
        },
      ),
      output: "{{body.data.issueCreate.issue}}",
      sample: issueSample,
    },
    update_issue: {
      title: "Change an issue",
      description: "Changes the title, state, assignee or priority of an issue.",
      synonyms: ["edit", "close", "move", "assign"],
      input: {
        issue,
        title: { type: "string", title: "Title" },
        state: { type: "string", title: "State", options: "states" },
        ...details,
      },
      request: graphql(
        `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { issue { ${FIELDS} } } }`,
        { id: "{{input.issue}}", input: { stateId: "{{input.state}}", ...changes } },
      ),
      output: "{{body.data.issueUpdate.issue}}",
      sample: { ...issueSample, state: { name: "Done" } },
    },
    get_issue: {
      title: "Get an issue",
      description: "Reads one issue.",
      writes: false,
      input: { issue },
      request: graphql(`query Issue($id: String!) { issue(id: $id) { ${FIELDS} } }`, {
        id: "{{input.issue}}",
      }),
      output: "{{body.data.issue}}",
      sample: issueSample,
    },
    list_issues: {
      title: "List issues",
      description: "Lists the issues of a team, the newest first.",
      synonyms: ["find"],
      writes: false,
      input: { team },
      request: graphql(
        `query Issues($first: Int, $after: String, $team: ID) { issues(first: $first, after: $after, orderBy: createdAt, filter: { team: { id: { eq: $team } } }) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
        { ...page, team: "{{input.team}}" },
      ),
      ...paged("issues"),
      sample: [issueSample],
    },
    search_issues: {
      title: "Search issues",
      description: "Finds issues by words in their title or text.",
      synonyms: ["find"],
      writes: false,
      input: { term: { type: "string", title: "Words", required: true } },
      request: graphql(
        `query Search($term: String!, $first: Int, $after: String) { searchIssues(term: $term, first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
        { ...page, term: "{{input.term}}" },
      ),
      ...paged("searchIssues"),
      sample: [issueSample],
    },
    add_comment: {
      title: "Add a comment",
      description: "Comments on an issue.",
      synonyms: ["reply"],
      input: {
        issue,
        body: {
          type: "string",
          title: "Text",
          description: "Markdown.",
          format: "multiline",
          required: true,
        },
      },
      request: graphql(
        "mutation Comment($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id body url createdAt } } }",
        { input: { issueId: "{{input.issue}}", body: "{{input.body}}" } },
      ),
      output: "{{body.data.commentCreate.comment}}",
      sample: {
        id: "9c2b5a7e-1f0d-4f43-9a57-7e3c4ac3a6a1",
        body: "On it.",
        url: "https://linear.app/acme/issue/ENG-123#comment-9c2b5a7e",
        createdAt: "2026-01-12T10:00:00.000Z",
      },
    },
  },
  triggers: {
    new_issue: {
      title: "New issue",
      description: "Starts a run for each new issue of a team.",
      synonyms: ["ticket", "created"],
      input: { team },
      polling: {
        request: graphql(
          `query NewIssues($first: Int, $after: String, $team: ID) { issues(first: $first, after: $after, orderBy: createdAt, filter: { team: { id: { eq: $team } } }) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
          { ...page, team: "{{input.team}}" },
        ),
        ...paged("issues"),
        key: "{{item.id}}",
        name: "{{item.identifier}} {{item.title}}",
        order: "newest_first",
      },
      sample: issueSample,
    },
    changed_issue: {
      title: "Changed issue",
      description: "Starts a run each time an issue of a team changes.",
      synonyms: ["updated", "moved"],
      input: { team },
      polling: {
        request: graphql(
          `query ChangedIssues($first: Int, $after: String, $team: ID) { issues(first: $first, after: $after, orderBy: updatedAt, filter: { team: { id: { eq: $team } } }) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
          { ...page, team: "{{input.team}}" },
        ),
        ...paged("issues"),
        key: "{{item.id}}:{{item.updatedAt}}",
        name: "{{item.identifier}} {{item.title}}",
        order: "newest_first",
      },
      sample: issueSample,
    },
  },
});
