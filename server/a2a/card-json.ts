import { createHash } from "node:crypto";
import type { AgentCard, SecurityScheme } from "@a2a-js/sdk";
import type { Sdk } from "./sdk.ts";

export interface EncodedCard {
  body: Record<string, unknown>;
  etag: string;
}

/** The card of version 1.0; for a client that does not ask for 1.0, with the fields of 0.3 as well. */
export function encodeCard({ types }: Sdk, card: AgentCard, version: unknown): EncodedCard {
  const encoded = types.AgentCard.toJSON(card) as Record<string, unknown>;
  const body = version === "1.0" ? encoded : { ...encoded, ...legacyFields(card, encoded) };
  const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27)}"`;
  return { body, etag };
}

/** Clients of 0.3 speak JSON-RPC with this service. */
function legacyFields(card: AgentCard, encoded: Record<string, unknown>): Record<string, unknown> {
  const legacy = card.supportedInterfaces.find(({ protocolVersion }) => protocolVersion === "0.3");
  const schemes = encoded["securitySchemes"] as Record<string, object> | undefined;
  return {
    protocolVersion: "0.3.0",
    url: legacy?.url,
    preferredTransport: legacy?.protocolBinding,
    supportsAuthenticatedExtendedCard: card.capabilities?.extendedAgentCard === true,
    securitySchemes: Object.fromEntries(
      Object.entries(card.securitySchemes).map(([name, scheme]) => [
        name,
        { ...schemes?.[name], ...legacyScheme(scheme) },
      ]),
    ),
    security: card.securityRequirements.map(({ schemes: names }) =>
      Object.fromEntries(Object.entries(names).map(([name, { list }]) => [name, list])),
    ),
  };
}

function legacyScheme({ scheme }: SecurityScheme): Record<string, unknown> {
  switch (scheme?.$case) {
    case "apiKeySecurityScheme":
      return { type: "apiKey", in: scheme.value.location, name: scheme.value.name };
    case "httpAuthSecurityScheme":
      return { type: "http", scheme: scheme.value.scheme };
    default:
      return {};
  }
}
