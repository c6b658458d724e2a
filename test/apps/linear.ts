import { linear } from "../../apps/linear.ts";
import type { AppRequest } from "../../apps/define-app.ts";
import type { AppExamples } from "./support/app-examples.ts";

const team = "9cfb482a-81e3-4154-b5b9-2c805e70a02d";
const issue = {
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
const comment = {
  id: "9c2b5a7e-1f0d-4f43-9a57-7e3c4ac3a6a1",
  body: "On it.",
  url: "https://linear.app/acme/issue/ENG-123#comment-9c2b5a7e",
  createdAt: "2026-01-12T10:00:00.000Z",
};
const details = {
  title: "Fix the login page",
  description: "It answers 500.",
  assignee: "u1",
  priority: 2,
  dueDate: "2026-02-01",
  labels: ["l1"],
};
const changes = {
  title: details.title,
  description: details.description,
  assigneeId: "u1",
  priority: 2,
  dueDate: "2026-02-01",
  labelIds: ["l1"],
};
const queryOf = ({ body }: AppRequest) => (body as { query: string }).query;
const sent = (request: AppRequest, variables: object) => ({
  request: { method: "POST", path: "/graphql", body: { query: queryOf(request), variables } as never },
});
const connection = (name: string, node: object): [object, object] => [
  { body: { data: { [name]: { nodes: [node], pageInfo: { hasNextPage: true, endCursor: "c1" } } } } },
  {
    body: {
      data: { [name]: { nodes: [{ ...node, id: "x" }], pageInfo: { hasNextPage: false, endCursor: "c2" } } },
    },
  },
];
const { actions, options, triggers } = linear;

export const linearExamples: AppExamples = {
  app: linear,
  source: "https://github.com/linear/linear/blob/master/packages/sdk/src/schema.graphql",
  fixture: null,
  test: {
    body: { data: { viewer: { email: "ada@example.com", organization: { name: "Acme" } } } },
    account: "ada@example.com",
  },
  actions: {
    create_issue: {
      input: { team, ...details },
      answer: { body: { data: { issueCreate: { issue } } } },
      ...sent(actions.create_issue.request, { input: { teamId: team, ...changes } }),
    },
    update_issue: {
      input: { issue: "ENG-123", state: "s1", ...details },
      answer: { body: { data: { issueUpdate: { issue: { ...issue, state: { name: "Done" } } } } } },
      ...sent(actions.update_issue.request, { id: "ENG-123", input: { stateId: "s1", ...changes } }),
    },
    get_issue: {
      input: { issue: "ENG-123" },
      answer: { body: { data: { issue } } },
      ...sent(actions.get_issue.request, { id: "ENG-123" }),
    },
    list_issues: {
      input: { team },
      pages: connection("issues", issue),
      ...sent(actions.list_issues.request, { first: 100, team }),
    },
    search_issues: {
      input: { term: "login" },
      pages: connection("searchIssues", issue),
      ...sent(actions.search_issues.request, { first: 100, term: "login" }),
    },
    add_comment: {
      input: { issue: "ENG-123", body: "On it." },
      answer: { body: { data: { commentCreate: { comment } } } },
      ...sent(actions.add_comment.request, { input: { issueId: "ENG-123", body: "On it." } }),
    },
  },
  options: {
    teams: {
      pages: connection("teams", { id: team, name: "Engineering", key: "ENG" }),
      ...sent(options.teams.request, { first: 100 }),
      first: { value: team, label: "Engineering (ENG)" },
    },
    users: {
      pages: connection("users", { id: "u1", name: "Ada", email: "ada@example.com" }),
      ...sent(options.users.request, { first: 100 }),
      first: { value: "u1", label: "Ada" },
    },
    states: {
      pages: connection("workflowStates", { id: "s1", name: "Todo", team: { key: "ENG" } }),
      ...sent(options.states.request, { first: 100 }),
      first: { value: "s1", label: "ENG · Todo" },
    },
  },
  triggers: {
    new_issue: {
      kind: "polling",
      input: { team },
      pages: connection("issues", issue),
      ...sent(triggers.new_issue.polling.request, { first: 100, team }),
    },
    changed_issue: {
      kind: "polling",
      input: { team },
      pages: connection("issues", issue),
      ...sent(triggers.changed_issue.polling.request, { first: 100, team }),
    },
  },
  errors: [
    {
      body: {
        data: null,
        errors: [{ message: "Entity not found", extensions: { code: "ENTITY_NOT_FOUND" } }],
      },
      says: "Linear: Linear knows no such issue, team or person.",
    },
    {
      status: 400,
      body: {
        errors: [
          {
            message: "Argument Validation Error",
            extensions: { code: "INVALID_INPUT", userPresentableMessage: "title should not be empty" },
          },
        ],
      },
      says: "Linear: title should not be empty",
    },
  ],
  expired: {
    body: { errors: [{ message: "Authentication required", extensions: { code: "AUTHENTICATION_ERROR" } }] },
  },
};
