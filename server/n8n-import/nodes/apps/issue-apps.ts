import { locatorOf } from "../../source/parameters.ts";
import type { NodeContext } from "../node-context.ts";
import type { AppMap } from "./app-map.ts";
import { limit } from "./app-inputs.ts";

const repository = ({ parameters, text }: NodeContext): string =>
  `${text(locatorOf(parameters["owner"]), "owner")}/${text(locatorOf(parameters["repository"]), "repository")}`;

export const issueApps: Readonly<Record<string, AppMap>> = {
  github: {
    app: "github",
    standard: "issue:create",
    actions: {
      "issue:create": { action: "create_issue", input: { repository, title: "title", body: "body" } },
      "issue:createComment": {
        action: "add_comment",
        input: { repository, number: "issueNumber", body: "body" },
      },
      "issue:get": { action: "get_issue", input: { repository, number: "issueNumber" } },
      "issue:edit": {
        action: "update_issue",
        input: {
          repository,
          number: "issueNumber",
          title: ["editFields.title"],
          body: ["editFields.body"],
          state: ["editFields.state"],
        },
      },
      "repository:getIssues": { action: "list_issues", input: { repository, limit } },
      "file:get": { action: "get_file", input: { repository, path: "filePath" } },
      "release:create": {
        action: "create_release",
        input: {
          repository,
          tag: "releaseTag",
          name: ["additionalFields.name"],
          body: ["additionalFields.body"],
        },
      },
    },
  },
  jira: {
    app: "jira",
    standard: "issue:create",
    actions: {
      "issue:create": {
        action: "create_issue",
        input: {
          project: "project",
          type: () => "Task",
          summary: "summary",
          description: ["additionalFields.description"],
        },
      },
      "issue:get": { action: "get_issue", input: { issue: "issueKey" } },
      "issue:getAll": { action: "search_issues", input: { jql: ["options.jql"], limit } },
      "issue:update": {
        action: "update_issue",
        input: {
          issue: "issueKey",
          summary: ["updateFields.summary"],
          description: ["updateFields.description"],
        },
      },
      "issueComment:add": { action: "add_comment", input: { issue: "issueKey", text: "comment" } },
    },
  },
  linear: {
    app: "linear",
    standard: "issue:create",
    actions: {
      "issue:create": {
        action: "create_issue",
        input: { team: "teamId", title: "title", description: ["additionalFields.description"] },
      },
      "issue:get": { action: "get_issue", input: { issue: "issueId" } },
      "comment:addComment": { action: "add_comment", input: { issue: "issueId", body: "comment" } },
    },
  },
};
