import { inWords } from "./common.ts";
import { object, text, textRecord, url } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const mcpStep = defineStepType({
  type: "mcp",
  title: "Call an MCP tool",
  description: "Calls a tool of an MCP server over HTTP and returns its result.",
  category: "connect",
  synonyms: ["tool", "server", "model context protocol", "integration", "app"],
  fields: {
    url: url("The URL of the MCP server."),
    tool: text("The name of the tool."),
    headers: textRecord(
      "Request headers, such as the authorization for the server, as names and values.",
    ).optional(),
    arguments: object("The arguments of the tool, as names and values.").optional(),
    answers: object(
      "Answers to questions that the server asks during the call, by field name. Without them the server is told that no one can answer.",
    ).optional(),
  },
  shortTitle: "MCP",
  summary: ({ tool }) => inWords(tool),
  form: {
    url: { label: "Server URL", example: "https://mcp.example.com/mcp" },
    tool: { label: "Tool", example: "search_issues" },
    arguments: { label: "Arguments", control: "long", common: true, example: '{ "query": "open" }' },
    headers: { label: "Headers" },
    answers: { label: "Answers to questions", control: "long", example: '{ "confirm": true }' },
  },
  example: {
    stepId: "search-issues",
    type: "mcp",
    url: "https://mcp.example.com/mcp",
    tool: "search_issues",
    arguments: { query: "{{input.query}}" },
  },
});
