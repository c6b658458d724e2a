import type { TextDestinations } from "../../contract/documents.ts";
import { OLLAMA_URL } from "../models/vendors.ts";
import { isLoopbackName } from "../security/address-classes.ts";

/** Addresses that the vendors' libraries use when the operator sets none. */
const VENDOR_HOSTS: Readonly<Record<string, string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
  google: "generativelanguage.googleapis.com",
};

interface Destination {
  provider?: string | undefined;
  baseUrl?: string | undefined;
}

interface Settings {
  embedding: Destination;
  llm: { models: readonly Destination[] };
  bucket: { endpoint: string } | undefined;
}

/** The hosts other than this machine that files and text of documents are sent to, by the settings of this service. */
export function textDestinations({ embedding, llm, bucket }: Settings): TextDestinations {
  return {
    files: outsideHosts([{ provider: "s3", baseUrl: bucket?.endpoint }]),
    embedding: outsideHosts([embedding]),
    // The others are fallbacks of the first one.
    answers: outsideHosts(llm.models),
    answer_model: llm.models.length > 0,
  };
}

function outsideHosts(destinations: readonly Destination[]): string[] {
  return [...new Set(destinations.flatMap(outsideHost))];
}

function outsideHost({ provider = "", baseUrl }: Destination): string[] {
  const address = baseUrl ?? (provider === "ollama" ? OLLAMA_URL : undefined);
  if (address === undefined || !URL.canParse(address)) {
    const host = VENDOR_HOSTS[provider];
    return host === undefined ? [] : [host];
  }
  const { host, hostname } = new URL(address);
  return isLoopbackName(hostname) ? [] : [host];
}
