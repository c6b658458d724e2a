import { inWords } from "./common.ts";
import { fixedChoice, object, text, textRecord, url } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

/** The field that names what an operation reads or calls. */
const SUBJECTS = { tool: "tool", resource: "uri", prompt: "prompt" } as const;

const operationOf = (step: Readonly<Record<string, unknown>>): keyof typeof SUBJECTS => {
  const { operation } = step;
  return operation === "resource" || operation === "prompt" ? operation : "tool";
};

const isFor =
  (...operations: string[]) =>
  (step: Readonly<Record<string, unknown>>) =>
    operations.includes(operationOf(step));

export const mcpStep = defineStepType({
  type: "mcp",
  title: "Call an MCP tool",
  description: "Calls a tool of an MCP server and returns its result, or reads a resource or a prompt.",
  category: "connect",
  synonyms: ["server", "model context protocol", "integration", "app"],
  fields: {
    server: text("One of your MCP servers, by id. Its credentials are stored with it.").optional(),
    url: url("The URL of an MCP server, in place of a stored one.").optional(),
    operation: fixedChoice("What to do; `tool` by default.", ["tool", "resource", "prompt"]).optional(),
    tool: text("The name of the tool.").optional(),
    uri: text("The URI of the resource.").optional(),
    prompt: text("The name of the prompt.").optional(),
    arguments: object("The arguments of the tool or prompt, as names and values.").optional(),
    headers: textRecord(
      "Request headers, such as the authorization for the server, as names and values. Only with `url`.",
    ).optional(),
    answers: object(
      "Answers to questions that the server asks during the call, by field name. Without them the call fails when the server asks.",
    ).optional(),
  },
  alternatives: { fields: ["server", "url"], exclusive: true },
  check(step): FieldProblem[] {
    const operation = operationOf(step);
    const field = SUBJECTS[operation];
    const problems: FieldProblem[] = [];
    if (step[field] === undefined || step[field] === null)
      problems.push({ code: "missing_field", field, message: `is required for the operation ${operation}` });
    // A stored server's credentials must not be replaced by a workflow, nor sent beside others.
    if (step["server"] !== undefined && step["headers"] !== undefined)
      problems.push({
        code: "invalid_field",
        field: "headers",
        message: "belongs to url: a stored server has its own",
      });
    return problems;
  },
  shortTitle: "MCP",
  summary: (step) => inWords(step[SUBJECTS[operationOf(step)]]),
  form: {
    server: { label: "Server" },
    url: { label: "Server URL", example: "https://mcp.example.com/mcp" },
    operation: {
      label: "Operation",
      words: { tool: "Call a tool", resource: "Read a resource", prompt: "Get a prompt" },
      common: true,
    },
    tool: { label: "Tool", example: "search_issues", common: true, applies: isFor("tool") },
    uri: { label: "Resource URI", example: "file:///report.txt", common: true, applies: isFor("resource") },
    prompt: { label: "Prompt", example: "summary", common: true, applies: isFor("prompt") },
    arguments: {
      label: "Arguments",
      control: "long",
      common: true,
      example: '{ "query": "open" }',
      applies: isFor("tool", "prompt"),
    },
    headers: { label: "Headers", applies: ({ server }) => server === undefined },
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
