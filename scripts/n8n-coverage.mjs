// `node scripts/n8n-coverage.mjs <folder> [--apps slack,gmail]`: the share of the n8n workflows in a folder of JSON files
// whose nodes all have a counterpart here. A node that calls one product counts only if `--apps` names that product.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { apps: { type: "string", default: "" }, missing: { type: "string", default: "25" } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    "Usage: node scripts/n8n-coverage.mjs <folder of JSON files> [--apps slack,gmail] [--missing 25]",
  );
  process.exit(1);
}
const apps = new Set(values.apps.split(",").filter((name) => name !== ""));

/** Counterparts of nodes that need no look at their parameters. */
const COUNTERPARTS = {
  // Triggers
  manualTrigger: "run",
  start: "run",
  webhook: "webhook",
  scheduleTrigger: "schedule",
  cron: "schedule",
  interval: "schedule",
  formTrigger: "form",
  emailReadImap: "email trigger",
  rssFeedReadTrigger: "RSS trigger",
  executeWorkflowTrigger: "workflow step",
  errorTrigger: "error workflow",
  chatTrigger: "chat trigger",
  manualChatTrigger: "chat trigger",
  mcpTrigger: "MCP exposure",
  // Steps
  stickyNote: "description",
  noOp: "transform",
  set: "transform",
  if: "condition",
  switch: "switch",
  filter: "data",
  aggregate: "data",
  summarize: "data",
  splitOut: "data",
  itemLists: "data",
  limit: "data",
  sort: "data",
  removeDuplicates: "data",
  renameKeys: "data",
  splitInBatches: "foreach",
  function: "code",
  functionItem: "code",
  compareDatasets: "code",
  // A code step that throws ends the run with its message.
  stopAndError: "code",
  dateTime: "expression",
  executeWorkflow: "workflow",
  respondToWebhook: "response",
  emailSend: "email",
  // Tokens of OAuth are in a connection.
  httpRequest: "http",
  graphql: "http",
  postgres: "sql",
  postgresTool: "workflow as a tool",
  mySql: "sql",
  mySqlTool: "workflow as a tool",
  redis: "redis",
  s3: "s3",
  awsS3: "s3",
  rssFeedRead: "http and convert",
  html: "convert",
  htmlExtract: "convert",
  markdown: "convert",
  xml: "convert",
  spreadsheetFile: "convert",
  moveBinaryData: "convert",
  readWriteFile: "file",
  readBinaryFile: "file",
  readBinaryFiles: "file",
  writeBinaryFile: "file",
  // Models and agents
  agent: "agent",
  chainLlm: "llm",
  chainSummarization: "llm",
  informationExtractor: "llm with a schema",
  textClassifier: "llm with a schema",
  sentimentAnalysis: "llm with a schema",
  outputParserStructured: "llm with a schema",
  outputParserAutofixing: "llm with a schema",
  outputParserItemList: "llm with a schema",
  lmChatOpenAi: "model",
  lmOpenAi: "model",
  lmChatAnthropic: "model",
  lmChatGoogleGemini: "model",
  lmChatOllama: "model",
  lmOllama: "model",
  lmChatOpenRouter: "model",
  lmChatGroq: "model",
  lmChatDeepSeek: "model",
  lmChatMistralCloud: "model",
  // Conversations are stored in the database of the service.
  memoryBufferWindow: "memory of a conversation",
  memoryPostgresChat: "memory of a conversation",
  memoryRedisChat: "memory of a conversation",
  toolWorkflow: "workflow as a tool",
  toolHttpRequest: "workflow as a tool",
  httpRequestTool: "workflow as a tool",
  toolCode: "workflow as a tool",
  toolCalculator: "workflow as a tool",
  mcpClientTool: "MCP tool",
  mcpClient: "mcp",
  // Documents have a store, a splitter and their own embedding model.
  vectorStoreInMemory: "documents",
  chainRetrievalQa: "document_query",
  retrieverVectorStore: "document_query",
  toolVectorStore: "documents of an agent",
};

/** These serve a vector store. Beside one of another product, that store is what is missing. */
const PARTS_OF_DOCUMENTS = /^(?:embeddings|textSplitter|document\w*Loader)/;

const FILE_FORMATS = new Set(["csv", "xlsx", "xls", "json", "html", "xml", "text"]);
const CHECKS = {
  code: ({ language }) => language === undefined || language === "javaScript",
  // All pairs of two lists need a code step; SQL over lists has no counterpart.
  merge: ({ mode }) => mode !== "combineBySql",
  wait: ({ resume }) => resume !== "form",
  extractFromFile: ({ operation = "csv" }) =>
    FILE_FORMATS.has(operation.replace("fromJson", "json")) || operation === "binaryToPropery",
  convertToFile: ({ operation = "csv" }) =>
    FILE_FORMATS.has(operation.replace(/^to(Json|Text)$/, (_all, name) => name.toLowerCase())) ||
    operation === "toBinary",
  compression: ({ fileFormat = "zip" }) => fileFormat === "zip",
  // Of the node of OpenAI: text, and questions about images. Making images and sound is not.
  openAi: ({ resource = "text", operation }) =>
    ["text", "chat"].includes(resource) || (resource === "image" && operation === "analyze"),
};

function isExpressible({ type, parameters = {} }) {
  const name = String(type).split(".").at(-1);
  const product = name.replace(/(?:Trigger|Tool)$/, "");
  if (apps.has(product)) return true;
  const own = /^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-mcp)\./.test(type);
  if (!own) return false;
  if (Object.hasOwn(CHECKS, name)) return CHECKS[name](parameters);
  return Object.hasOwn(COUNTERPARTS, name) || PARTS_OF_DOCUMENTS.test(name);
}

function* workflows() {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".json")) continue;
    try {
      const { nodes } = JSON.parse(readFileSync(join(folder, path), "utf8"));
      if (Array.isArray(nodes) && nodes.length > 0) yield nodes;
    } catch {
      // Not a workflow.
    }
  }
}

let [total, expressible, nodeCount, nodesExpressible] = [0, 0, 0, 0];
/** By type: workflows that miss it, and those that miss nothing else. */
const missing = new Map();
for (const nodes of workflows()) {
  total += 1;
  const steps = nodes.filter(({ type }) => type !== "n8n-nodes-base.stickyNote");
  const absent = steps.filter((node) => !isExpressible(node));
  nodeCount += steps.length;
  nodesExpressible += steps.length - absent.length;
  const types = new Set(absent.map(({ type }) => type));
  if (types.size === 0) expressible += 1;
  for (const type of types) {
    const counts = missing.get(type) ?? { workflows: 0, alone: 0 };
    counts.workflows += 1;
    if (types.size === 1) counts.alone += 1;
    missing.set(type, counts);
  }
}

const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
console.log(`workflows    ${total}`);
console.log(`expressible  ${expressible} (${percent(expressible, total)})`);
console.log(`nodes        ${nodeCount}, with a counterpart ${percent(nodesExpressible, nodeCount)}`);
console.log("\nworkflows that miss it, and those that miss nothing else:");
const rows = [...missing].toSorted(([, a], [, b]) => b.workflows - a.workflows);
for (const [type, { workflows: count, alone }] of rows.slice(0, Number(values.missing)))
  console.log(`${String(count).padStart(6)} ${String(alone).padStart(6)}  ${type}`);
