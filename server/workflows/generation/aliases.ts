import { conditionOperators } from "../../../contract/steps/condition.ts";
import { findStepType, stepTypes } from "../../../contract/steps/catalogue.ts";

/** What models call our step types. Keys are without case, spaces and punctuation. */
const TYPES: Readonly<Record<string, string>> = {
  httprequest: "http",
  request: "http",
  api: "http",
  apicall: "http",
  rest: "http",
  fetch: "http",
  webrequest: "http",
  httpcall: "http",
  webhookcall: "http",
  httpget: "http",
  httppost: "http",
  ai: "llm",
  gpt: "llm",
  openai: "llm",
  chat: "llm",
  chatgpt: "llm",
  prompt: "llm",
  completion: "llm",
  languagemodel: "llm",
  textgeneration: "llm",
  summarize: "llm",
  summarise: "llm",
  translate: "llm",
  classify: "llm",
  anthropic: "llm",
  filewrite: "file",
  writefile: "file",
  savefile: "file",
  fileread: "file",
  readfile: "file",
  storage: "file",
  save: "file",
  fs: "file",
  aiagent: "agent",
  callagent: "agent",
  humanapproval: "approval",
  manualapproval: "approval",
  humanreview: "approval",
  review: "approval",
  approve: "approval",
  humanintheloop: "approval",
  if: "condition",
  ifelse: "condition",
  branch: "condition",
  decision: "condition",
  conditional: "condition",
  compare: "condition",
  router: "switch",
  case: "switch",
  route: "switch",
  set: "transform",
  map: "transform",
  mapper: "transform",
  format: "transform",
  template: "transform",
  jsonata: "transform",
  expression: "transform",
  merge: "transform",
  json: "transform",
  dowhile: "while",
  repeatuntil: "while",
  waitforevent: "wait_event",
  waitforwebhook: "wait_event",
  function: "code",
  javascript: "code",
  typescript: "code",
  script: "code",
  codenode: "code",
  filteritems: "data",
  sort: "data",
  sortitems: "data",
  limit: "data",
  aggregate: "data",
  groupby: "data",
  deduplicate: "data",
  removeduplicates: "data",
  splitout: "data",
  itemlists: "data",
  renamekeys: "data",
  loop: "foreach",
  for: "foreach",
  each: "foreach",
  iterate: "foreach",
  iterator: "foreach",
  forloop: "foreach",
  splitinbatches: "foreach",
  subworkflow: "workflow",
  callworkflow: "workflow",
  runworkflow: "workflow",
  executeworkflow: "workflow",
  wait: "delay",
  sleep: "delay",
  pause: "delay",
  timer: "delay",
  rag: "document_query",
  documentsearch: "document_query",
  askdocuments: "document_query",
  knowledgebase: "document_query",
  vectorsearch: "document_query",
  documents: "document_query",
  mcptool: "mcp",
  mcpcall: "mcp",
  mail: "email",
  sendemail: "email",
  smtp: "email",
  sendmail: "email",
  gmail: "email",
};

/** Nodes of other builders that mark where a run begins or ends. Here that is not a step. */
const MARKERS = new Set([
  "start",
  "trigger",
  "manualtrigger",
  "webhooktrigger",
  "scheduletrigger",
  "input",
  "begin",
  "entry",
  "end",
  "finish",
  "stop",
  "output",
  "exit",
  "result",
  "noop",
]);

const OPERATORS: Readonly<Record<string, string>> = {
  "==": "eq",
  "===": "eq",
  "=": "eq",
  equals: "eq",
  equal: "eq",
  is: "eq",
  "!=": "ne",
  "!==": "ne",
  "<>": "ne",
  notequals: "ne",
  notequal: "ne",
  isnot: "ne",
  neq: "ne",
  ">": "gt",
  greaterthan: "gt",
  ">=": "gte",
  greaterthanorequal: "gte",
  greaterorequal: "gte",
  "<": "lt",
  lessthan: "lt",
  "<=": "lte",
  lessthanorequal: "lte",
  lessorequal: "lte",
  includes: "contains",
  has: "contains",
  startswith: "startsWith",
  endswith: "endsWith",
  regex: "matches",
  match: "matches",
  isset: "exists",
  notempty: "exists",
  isnotempty: "exists",
  isempty: "empty",
};

/** Other names of a type's fields, each used only when the right one is missing. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  http: {
    url: ["endpoint", "uri", "address", "href"],
    method: ["verb", "httpMethod"],
    body: ["payload", "data", "json"],
    query: ["params", "queryParams"],
  },
  llm: {
    prompt: ["instruction", "instructions", "text", "message", "input", "userPrompt", "content"],
    system: ["systemPrompt", "systemMessage"],
  },
  file: {
    action: ["operation", "mode"],
    path: ["filename", "fileName", "filePath", "file", "name"],
    content: ["data", "text", "body", "contents", "input"],
  },
  agent: {
    agentId: ["agent", "id"],
    capability: ["skill", "role"],
    input: ["prompt", "task", "message", "instruction"],
  },
  approval: { message: ["prompt", "question", "text", "description", "instructions"] },
  condition: {
    left: ["value", "field", "a", "leftValue", "input", "variable"],
    operator: ["op", "comparison", "comparator"],
    right: ["b", "rightValue", "compareTo", "expected", "threshold"],
  },
  switch: { value: ["field", "input", "expression", "on"] },
  transform: { template: ["value", "output", "object", "mapping", "data"], expression: ["jsonata", "code"] },
  data: {
    items: ["list", "array", "input", "data"],
    by: ["sortBy", "groupBy", "keys", "key"],
    with: ["items2", "other"],
  },
  foreach: { items: ["list", "array", "collection", "over", "input"], steps: ["body", "do", "nodes"] },
  workflow: { workflowId: ["workflow", "id"], input: ["inputs", "data"] },
  delay: { seconds: ["duration", "durationSeconds", "delaySeconds", "delay", "time"], until: ["at", "date"] },
  document_query: {
    query: ["question", "prompt", "text", "input"],
    topK: ["k", "limit", "top_k"],
    documentIds: ["documents", "document_ids"],
    collectionIds: ["collections", "collection_ids", "folders"],
  },
  mcp: {
    url: ["server", "serverUrl", "endpoint"],
    tool: ["toolName"],
    arguments: ["args", "input", "params"],
  },
  email: {
    to: ["recipient", "recipients", "address", "email"],
    subject: ["title"],
    text: ["body", "message", "content"],
  },
};

function keyOf(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

/** The right name of a type, or the name as it came, which the validator then refuses. */
export function typeOf(name: unknown): string {
  const known = findStepType(name) ?? findStepType(String(name).toLowerCase());
  return known?.type ?? TYPES[keyOf(name)] ?? findByKey(name) ?? String(name);
}

function findByKey(name: unknown): string | undefined {
  const key = keyOf(name);
  return stepTypes.find(({ type }) => keyOf(type) === key)?.type;
}

export function isMarker(name: unknown): boolean {
  return findStepType(name) === undefined && MARKERS.has(keyOf(name));
}

export function withFieldNames(type: string, fields: Record<string, unknown>): Record<string, unknown> {
  const named = { ...fields };
  for (const [right, others] of Object.entries(FIELDS[type] ?? {})) {
    if (named[right] !== undefined) continue;
    const other = others.find((name) => named[name] !== undefined);
    if (other === undefined) continue;
    named[right] = named[other];
    delete named[other];
  }
  return withValues(type, named);
}

const SECONDS: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  milliseconds: 0.001,
  ms: 0.001,
  delayMs: 0.001,
  durationMs: 0.001,
};

function withValues(type: string, fields: Record<string, unknown>): Record<string, unknown> {
  const { method, operator, action, seconds } = fields;
  if (type === "http" && typeof method === "string") fields["method"] = method.toUpperCase();
  if (
    type === "condition" &&
    typeof operator === "string" &&
    !(conditionOperators as readonly string[]).includes(operator)
  )
    fields["operator"] = OPERATORS[operator.trim()] ?? OPERATORS[keyOf(operator)] ?? operator;
  if (type === "file" && typeof action === "string")
    fields["action"] =
      { save: "write", create: "write", store: "write", load: "read", get: "read", remove: "delete" }[
        action.toLowerCase()
      ] ?? action.toLowerCase();
  if (type === "file" && action === undefined)
    fields["action"] = fields["content"] === undefined ? "read" : "write";
  if (type === "delay" && typeof seconds === "string" && /^\d+(\.\d+)?$/.test(seconds))
    fields["seconds"] = Number(seconds);
  if (type === "delay" && seconds === undefined && fields["until"] === undefined)
    for (const [unit, size] of Object.entries(SECONDS)) {
      const given = Number(fields[unit] ?? Number.NaN);
      if (Number.isNaN(given)) continue;
      fields["seconds"] = given * size;
      delete fields[unit];
      break;
    }
  return fields;
}
