import { object, text, textRecord, webAddress } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const mcpStep = defineStepType({
  type: "mcp",
  title: "Call an MCP tool",
  description: "Calls a tool of an MCP server over the web and hands on its result.",
  category: "connect",
  fields: {
    url: webAddress("The web address of the MCP server."),
    tool: text("The name of the tool."),
    headers: textRecord(
      "Headers to send along, such as the authorization that the server asks for, each a name and a text.",
    ).optional(),
    arguments: object("What the tool gets, each a name and a value.").optional(),
  },
  example: {
    stepId: "search-issues",
    type: "mcp",
    url: "https://mcp.example.com/mcp",
    tool: "search_issues",
    arguments: { query: "{{input.query}}" },
  },
});
