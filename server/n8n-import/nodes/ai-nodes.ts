import { at, entriesAt, locatorOf, numberOf, recordOf, textOf, lookUp } from "../source/parameters.ts";
import type { FieldKeys } from "../data/data.ts";
import type { SourceNode } from "../source/source.ts";
import type { Converted, NodeContext, NodeKind } from "./node-context.ts";

/** Providers that Baton knows, by the type of the model in n8n. */
const PROVIDERS: Readonly<Record<string, string>> = {
  lmChatOpenAi: "openai",
  lmOpenAi: "openai",
  lmChatAnthropic: "anthropic",
  lmChatGoogleGemini: "google",
};

/** The model that is joined to a chain or an agent. */
function modelFields(context: NodeContext): Record<string, unknown> {
  const [model] = context.partsOf("ai_languageModel");
  const name =
    model === undefined
      ? ""
      : nameOf(model.parameters["model"] ?? model.parameters["modelName"]).replace(/^models\//, "");
  const temperature = numberOf(at(model?.parameters, "options", "temperature"));
  const provider = lookUp(PROVIDERS, model?.kind ?? "");
  context.check(
    name === ""
      ? "Uses the default model. Choose another one in the step."
      : `Check that the model ${name.slice(0, 80)} is configured, or choose another one.`,
  );
  return {
    ...(provider !== undefined && name !== "" && { provider, model: name }),
    ...(temperature !== undefined && temperature >= 0 && temperature <= 2 && { temperature }),
  };
}

function nameOf(given: unknown): string {
  const name = textOf(locatorOf(given));
  return name.startsWith("=") ? "" : name;
}

function promptOf({ parameters, text, scope, check, node }: NodeContext): string {
  const given = parameters["text"] ?? parameters["prompt"] ?? parameters["inputText"];
  if (typeof given === "string" && given !== "" && parameters["promptType"] !== "auto")
    return text(given, "text");
  const isAgent = node.kind === "agent" || node.kind === "chainLlm";
  if (isAgent && scope.current.length > 0) return text("={{ $json.chatInput }}", "text") || "Answer";
  check("Enter the prompt.");
  return "{{input.message}}";
}

const messagesOf = (context: NodeContext): string =>
  entriesAt(context.parameters, "messages", "messageValues")
    .map(({ message }, index) => context.text(message, `messages.${index}`))
    .filter((text) => text !== "")
    .join("\n\n");

/** A JSON Schema from a parser, or from an example of the answer. */
function schemaOf(context: NodeContext): Record<string, unknown> {
  const [parser] = context.partsOf("ai_outputParser");
  const source =
    parser?.kind === "outputParserStructured"
      ? parser.parameters
      : context.node.kind === "informationExtractor"
        ? context.parameters
        : undefined;
  if (source === undefined) return {};
  const attributes = entriesAt(source, "attributes", "attributes");
  if (attributes.length > 0)
    return {
      schema: {
        type: "object",
        properties: Object.fromEntries(
          attributes.map(({ name, type, description }) => [
            textOf(name),
            {
              type: textOf(type) === "number" || textOf(type) === "boolean" ? textOf(type) : "string",
              description: context.text(description, `attributes.${textOf(name)}`),
            },
          ]),
        ),
      },
    };
  const schema = parsed(source["jsonSchema"] ?? source["inputSchema"]);
  if (schema !== undefined && Object.hasOwn(schema, "type")) return { schema };
  const example = parsed(source["jsonSchemaExample"]);
  context.check("The answer schema is made from an example: check it.");
  return example === undefined ? {} : { schema: schemaOfExample(example, 0) };
}

function parsed(text: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(textOf(text).replace(/^=/, ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function schemaOfExample(value: unknown, depth: number): Record<string, unknown> {
  if (depth > 10) return {};
  if (Array.isArray(value)) return { type: "array", items: schemaOfExample(value[0], depth + 1) };
  if (typeof value === "object" && value !== null)
    return {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, schemaOfExample(one, depth + 1)]),
      ),
    };
  return typeof value === "number" || typeof value === "boolean"
    ? { type: typeof value }
    : { type: "string" };
}

/** Where n8n puts the answer. */
const ANSWERS: Readonly<Record<string, readonly FieldKeys[]>> = {
  agent: [["output"], ["text"]],
  chainLlm: [["text"], ["response", "text"], ["output"]],
  chainSummarization: [["output", "text"], ["response", "text"], ["output"], ["response"]],
  informationExtractor: [["output"]],
};

function answerFields({ node, partsOf }: NodeContext): readonly FieldKeys[] {
  const isParsed = partsOf("ai_outputParser").length > 0;
  return isParsed ? [["output"]] : (lookUp(ANSWERS, node.kind) ?? [["output"]]);
}

function chain(context: NodeContext, instruction = ""): Converted {
  const system = [
    instruction,
    messagesOf(context),
    context.text(at(context.parameters, "options", "systemMessage"), "options.systemMessage"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
  const schema = schemaOf(context);
  return {
    step: {
      type: "llm",
      prompt: promptOf(context),
      ...(system !== "" && { system }),
      ...modelFields(context),
      ...schema,
    },
    output: { path: [], isExact: true, fields: answerFields(context) },
  };
}

/** An agent with tools is a record of its own here; without tools it is a model with instructions. */
function agent(context: NodeContext): Converted {
  const parts = [...context.partsOf("ai_tool"), ...context.partsOf("ai_memory")];
  if (parts.length === 0) return chain(context);
  const names = context
    .partsOf("ai_tool")
    .map(({ name }) => `“${name}”`)
    .slice(0, 10)
    .join(", ");
  const capability = `n8n ${context.node.name}`.slice(0, 100);
  context.check(
    `Create an agent with the capability “${capability}”, the instructions of this node and the tools ${names || "none"}.`,
  );
  return {
    step: { type: "agent", capability, input: promptOf(context) },
    output: { path: [], isExact: true, fields: answerFields(context) },
  };
}

const TEXT_ANSWERS: readonly FieldKeys[] = [
  ["message", "content"],
  ["choices", 0, "message", "content"],
  ["choices", 0, "text"],
  ["output", 0, "content", 0, "text"],
  ["text"],
];
const IMAGE_ANSWERS: readonly FieldKeys[] = [["content"], ["choices", 0, "message", "content"]];

function openAi(context: NodeContext): Converted {
  const { parameters } = context;
  const resource = textOf(parameters["resource"]) || "text";
  const operation = textOf(parameters["operation"]);
  const messages = [
    ...entriesAt(parameters, "messages", "values"),
    ...entriesAt(parameters, "prompt", "messages"),
    ...entriesAt(parameters, "messages", "messages"),
    ...entriesAt(parameters, "responses", "values"),
  ];
  const model = nameOf(parameters["modelId"] ?? parameters["model"] ?? parameters["chatModel"]);
  const isImage = resource === "image" && operation === "analyze";
  if (!isImage && !["text", "chat"].includes(resource)) return { step: undefined };
  const by = (isSystem: boolean): string =>
    messages
      .filter(({ role }) => (role === "system") === isSystem)
      .map(({ content }, index) => context.text(content, `messages.${index}`))
      .filter((text) => text !== "")
      .join("\n\n");
  const system = by(true);
  const prompt = by(false) || context.text(parameters["text"] ?? parameters["prompt"], "text");
  const temperature = numberOf(at(parameters, "options", "temperature"));
  context.check(
    model === ""
      ? "Uses the default model."
      : `Check that the model ${model.slice(0, 80)} is configured, or choose another one.`,
  );
  if (isImage && parameters["inputType"] === "base64") context.check("Choose the image.");
  return {
    step: {
      type: "llm",
      prompt: prompt || " ",
      ...(system !== "" && { system }),
      ...(model !== "" && { provider: "openai", model }),
      ...(temperature !== undefined && temperature >= 0 && temperature <= 2 && { temperature }),
      ...(isImage &&
        parameters["inputType"] !== "base64" && {
          images: context.value(parameters["imageUrls"], "imageUrls"),
        }),
    },
    output: { path: [], isExact: true, fields: isImage ? IMAGE_ANSWERS : TEXT_ANSWERS },
  };
}

function classify(context: NodeContext): Converted {
  const categories = entriesAt(context.parameters, "categories", "categories")
    .map(({ category }) => textOf(category))
    .filter((name) => name !== "");
  const names =
    categories.length > 0
      ? categories
      : textOf(at(context.parameters, "options", "categories"))
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "");
  const found = names.length > 0 ? names : ["Positive", "Neutral", "Negative"];
  context.check("Add a Switch after this step for its outputs: it gives {category}.");
  return {
    step: {
      type: "llm",
      prompt: promptOf(context),
      system: "Classify the text.",
      ...modelFields(context),
      schema: {
        type: "object",
        properties: { category: { type: "string", enum: found } },
        required: ["category"],
      },
    },
    output: { path: [], isExact: false },
  };
}

function questions(context: NodeContext): Converted {
  context.check("Add the documents, or choose a collection.");
  return { step: { type: "document_query", query: promptOf(context) }, output: { path: [], isExact: false } };
}

function mcp(context: NodeContext): Converted {
  const { parameters } = context;
  const url = textOf(parameters["endpointUrl"] ?? parameters["sseEndpoint"]);
  const tool = nameOf(parameters["tool"] ?? parameters["toolName"]);
  if (!/^https?:/.test(url) || tool === "") return { step: undefined };
  context.check("Check the arguments and the login of the server.");
  return {
    step: {
      type: "mcp",
      url,
      tool,
      arguments: context.value(recordOf(at(parameters, "parameters", "value")), "parameters.value"),
    },
    output: { path: [], isExact: false },
  };
}

const EACH: NodeKind["flow"] = () => ({ takes: "item" });
const kind = (convert: NodeKind["convert"]): NodeKind => ({ flow: EACH, convert });

export const aiNodes: Readonly<Record<string, NodeKind>> = {
  agent: kind(agent),
  chainLlm: kind((context) => chain(context)),
  chainSummarization: kind((context) => chain(context, "Summarize the text.")),
  informationExtractor: kind((context) => chain(context, "Extract the fields from the text.")),
  textClassifier: kind(classify),
  sentimentAnalysis: kind(classify),
  openAi: kind(openAi),
  chainRetrievalQa: kind(questions),
  mcpClient: kind(mcp),
};

/** Nodes that are a part of an agent or a chain. */
export const isPartKind = ({ kind: name }: SourceNode): boolean =>
  /^(?:lm[A-Z]|memory|outputParser|embeddings|textSplitter|document\w*Loader|retriever|tool[A-Z]|vectorStore|reranker|mcpClientTool)/.test(
    name,
  );
