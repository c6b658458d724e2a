import type { ExternalAgent } from "../../contract/teams.ts";

/** `summarizer: summarize, translate @ https://agents.example/a2a`, one agent a line. */
export function parseExternalAgents(text: string): ExternalAgent[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [front = "", address] = line.split(/(?:^|\s)@\s*(?=https?:\/\/)/i);
      const [name = "", words = ""] = front.split(/:(.*)/s);
      const capabilities = words
        .split(",")
        .map((word) => word.trim())
        .filter((word) => word !== "");
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
      const words = capabilities.length === 0 ? name : `${name}: ${capabilities.join(", ")}`;
      return url === undefined ? words : `${words} @ ${url}`;
    })
    .join("\n");
}
