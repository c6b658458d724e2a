import type { Section } from "./section.ts";

export const mcpServers: Section = {
  title: "MCP servers",
  promises: [
    {
      id: "40.1",
      text: "`POST /api/mcp-servers`, `GET /api/mcp-servers`, `GET /api/mcp-servers/{id}`, `PATCH /api/mcp-servers/{id}` and `DELETE /api/mcp-servers/{id}` never return a secret (`mcp_server_not_found`).",
      proofs: [
        "test/mcp-servers.test.ts › a stored server keeps its headers to itself, and steps use them",
        "test/mcp-servers.test.ts › a URL of another host drops the headers, which were meant for the old one",
        "test/mcp-servers.test.ts › invalid servers are rejected, and a step needs exactly one of server and url",
        "test/mcp-servers.test.ts › a step cannot use the server of another user",
      ],
    },
    {
      id: "40.2",
      text: "`GET /api/mcp-servers/{id}/tools`, `GET /api/mcp-servers/{id}/resources`, `GET /api/mcp-servers/{id}/prompts` and `POST /api/mcp-servers/{id}/test` ask the server (`mcp_failed`).",
      proofs: [
        "test/mcp-servers.test.ts › a stored server keeps its headers to itself, and steps use them",
        "test/mcp-servers.test.ts › lists of a server are kept for a minute, and forgotten when it changes",
      ],
    },
    {
      id: "40.3",
      text: "`POST /api/mcp-servers/{id}/authorize` and `POST /api/mcp-servers/callback` connect a server by OAuth 2.1; `GET /client-metadata.json` describes this service as a client; `POST /api/mcp-servers/{id}/disconnect` forgets the tokens (`mcp_authorization_failed`).",
      proofs: [
        "test/mcp-servers.test.ts › a server is connected by OAuth: discovery, registration, PKCE, and the token in every call",
        "test/mcp-servers.test.ts › an authorization ends once, for the user who started it, and only from the issuer that was asked",
        "test/mcp-servers.test.ts › a client that the user configured is used in place of a registration",
        "test/mcp-servers.test.ts › authorization servers can fetch the client metadata of a public service",
      ],
    },
    {
      id: "40.4",
      text: "Tokens are refreshed by one process at a time; `mcp_authorization_required` asks the user to connect again.",
      proofs: [
        "test/mcp-servers.test.ts › a refused token is refreshed once for many calls, and a refused refresh asks to connect again",
        "test/mcp-servers.test.ts › a server that asks for more scopes gets them at the next connection",
        "server/mcp-servers/access-tokens.test.ts › two processes refresh a token once, and both get the new one",
        "server/mcp-servers/access-tokens.test.ts › a process that died during a refresh blocks it only until its lease ends",
      ],
    },
    {
      id: "40.5",
      text: "`GET /api/mcp-servers/{id}/used-by` lists the workflows and agents that use a server.",
      proofs: [
        "test/mcp-servers.test.ts › a server is connected by OAuth: discovery, registration, PKCE, and the token in every call",
      ],
    },
    {
      id: "40.7",
      text: "Agents call the tools of `tools.mcp`; saving a workflow warns about `unknown_mcp_server` and `unknown_mcp_tool`.",
      proofs: [
        "server/agents/agent-tools.test.ts › a tool of an MCP server runs as a task that names the server, and asks first unless it is allowed",
        "test/mcp-servers.test.ts › saving a workflow warns about servers and tools that do not exist",
        "test/mcp-servers.test.ts › an agent names only servers of its owner, and calls their tools",
      ],
    },
    {
      id: "40.6",
      text: "`GET /api/mcp-servers/stdio` lists the programs of `MCP_STDIO_SERVERS`, which only the administrator may use.",
      proofs: [
        "test/mcp-stdio.test.ts › only the administrator uses servers over stdio, and only those of the operator",
        "server/mcp-client/stdio-transport.test.ts › a program gets no variable of this process except those that the operator names",
        "server/mcp-client/stdio-transport.test.ts › a program is killed with everything that it started",
      ],
    },
  ],
};
