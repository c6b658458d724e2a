import type { Exposure, Protocol } from "../../api/exposures.ts";

export const KEY_PLACEHOLDER = "YOUR_API_KEY";

/** More cards than these are one click away, in the list of what is available. */
const MAX_AGENTS = 20;

/** How one client connects. */
export interface ClientSettings {
  id: string;
  title: string;
  protocol: Protocol;
  /** What to do, in order. */
  steps: readonly string[];
  /** Settings to copy, each under what it is. */
  blocks: readonly { title: string; text: string }[];
  /** It authenticates with an API key. */
  usesKey: boolean;
}

export interface ClientSettingsInput {
  /** The address of this instance, such as https://baton.example.com. */
  origin: string;
  exposures: readonly Exposure[];
}

/** The settings of the clients that people use most, with the address of this instance. */
export function clientSettings({ origin, exposures }: ClientSettingsInput): ClientSettings[] {
  const model = exposures.find(({ chat }) => chat)?.name ?? "MODEL_NAME";
  const agents = exposures.filter(({ a2a }) => a2a);
  return [...mcpClients(`${origin}/mcp`), ...chatClients(origin, model), a2aClient(origin, agents)];
}

function mcpClients(mcpUrl: string): ClientSettings[] {
  const json = (value: object) => JSON.stringify(value, null, 2);
  const header = { Authorization: `Bearer ${KEY_PLACEHOLDER}` };
  return [
    {
      protocol: "mcp",
      id: "claude-code",
      title: "Claude Code",
      usesKey: true,
      steps: ["Run the command in your project. Without the header, /mcp in Claude Code signs you in."],
      blocks: [
        {
          title: "Terminal",
          text: `claude mcp add --transport http baton ${mcpUrl} \\\n  --header "Authorization: Bearer ${KEY_PLACEHOLDER}"`,
        },
      ],
    },
    {
      protocol: "mcp",
      id: "claude",
      title: "Claude Desktop",
      usesKey: false,
      steps: [
        "Open Settings → Connectors → Add custom connector.",
        "Paste the URL, then sign in and allow the access.",
      ],
      blocks: [{ title: "URL of the connector", text: mcpUrl }],
    },
    {
      protocol: "mcp",
      id: "cursor",
      title: "Cursor",
      usesKey: true,
      steps: ["Add the server to ~/.cursor/mcp.json. Without the headers, Cursor asks you to sign in."],
      blocks: [
        { title: "mcp.json", text: json({ mcpServers: { baton: { url: mcpUrl, headers: header } } }) },
      ],
    },
    {
      protocol: "mcp",
      id: "vscode",
      title: "VS Code",
      usesKey: true,
      steps: ["Add the server to .vscode/mcp.json. VS Code asks for the key once and stores it."],
      blocks: [
        {
          title: ".vscode/mcp.json",
          text: json({
            servers: {
              baton: { type: "http", url: mcpUrl, headers: { Authorization: "Bearer ${input:baton-key}" } },
            },
            inputs: [{ type: "promptString", id: "baton-key", description: "Baton API key", password: true }],
          }),
        },
      ],
    },
    {
      protocol: "mcp",
      id: "chatgpt",
      title: "ChatGPT",
      usesKey: false,
      steps: [
        "Turn on developer mode in Settings → Apps & Connectors → Advanced settings.",
        "Create a connector with the URL and OAuth, then sign in and allow the access.",
        "ChatGPT reaches only an instance with a public https address.",
      ],
      blocks: [{ title: "MCP server URL", text: mcpUrl }],
    },
  ];
}

function chatClients(origin: string, model: string): ClientSettings[] {
  return [
    {
      protocol: "chat",
      usesKey: true,
      id: "openai",
      title: "OpenAI SDK",
      steps: ["Any program that speaks OpenAI's chat API works: set its base URL and its key."],
      blocks: [
        {
          title: "JavaScript",
          text: `import OpenAI from "openai";\n\nconst client = new OpenAI({\n  baseURL: "${origin}/v1",\n  apiKey: "${KEY_PLACEHOLDER}",\n});\nconst answer = await client.chat.completions.create({\n  model: "${model}",\n  messages: [{ role: "user", content: "Hello" }],\n});\nconsole.log(answer.choices[0].message.content);`,
        },
        {
          title: "Python",
          text: `from openai import OpenAI\n\nclient = OpenAI(base_url="${origin}/v1", api_key="${KEY_PLACEHOLDER}")\nanswer = client.chat.completions.create(\n    model="${model}",\n    messages=[{"role": "user", "content": "Hello"}],\n)\nprint(answer.choices[0].message.content)`,
        },
      ],
    },
    {
      protocol: "chat",
      usesKey: true,
      id: "curl",
      title: "curl",
      steps: ["Lists the models, then streams an answer."],
      blocks: [
        { title: "Models", text: `curl ${origin}/v1/models -H "Authorization: Bearer ${KEY_PLACEHOLDER}"` },
        {
          title: "Chat",
          text: `curl -N ${origin}/v1/chat/completions \\\n  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], stream: true })}'`,
        },
      ],
    },
  ];
}

function a2aClient(origin: string, agents: readonly Exposure[]): ClientSettings {
  return {
    id: "a2a",
    title: "A2A client",
    protocol: "a2a",
    usesKey: false,
    steps: [
      "Give the client the address of the agent card. A workflow takes an API key with the scope A2A, a team its secret or such a key.",
    ],
    blocks:
      agents.length === 0
        ? [{ title: "Agent card", text: cardUrl(origin, "AGENT_ID") }]
        : agents.slice(0, MAX_AGENTS).map(({ title, recordId }) => ({
            title: `Agent card of ${title}`,
            text: cardUrl(origin, recordId),
          })),
  };
}

function cardUrl(origin: string, id: string): string {
  return `${origin}/a2a/${id}/.well-known/agent-card.json`;
}
