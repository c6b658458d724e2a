import type { ExternalAgent } from "../../contract/teams.ts";

/** Parses one agent per line: `summarizer: summarize, translate @ https://agents.example/a2a`. */
export function parseExternalAgents(text: string): ExternalAgent[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [front = "", address] = line.split(/(?:^|\s)@\s*(?=https?:\/\/)/i);
      const [name = "", list = ""] = front.split(/:(.*)/s);
      const capabilities = list
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
      return {
        name: name.trim(),
        capabilities,
        ...(address === undefined ? {} : { url: address.trim() }),
      };
    });
}

export function formatExternalAgents(agents: readonly ExternalAgent[]): string {
  return agents
    .map(({ name, capabilities, url }) => {
      const text = capabilities.length === 0 ? name : `${name}: ${capabilities.join(", ")}`;
      return url === undefined ? text : `${text} @ ${url}`;
    })
    .join("\n");
}
