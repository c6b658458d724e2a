import type { Sdk } from "./sdk.ts";

export type Binding = "JSONRPC" | "HTTP+JSON";

const SUPPORTED: Record<Binding, readonly string[]> = { JSONRPC: ["1.0", "0.3"], "HTTP+JSON": ["1.0"] };

/** The version of the header `A2A-Version` or the query parameter of that name. Without one, a client speaks 0.3. */
export function readVersion({ errors }: Sdk, binding: Binding, given: unknown): string {
  const text = typeof given === "string" && given.trim() !== "" ? given.trim() : "0.3";
  // A patch number does not matter.
  const version = text.replace(/^(\d+\.\d+)\.\d+$/, "$1");
  if (!SUPPORTED[binding].includes(version))
    throw new errors.VersionNotSupportedError(
      `A2A ${text.slice(0, 20)} is not supported here. Send the header A2A-Version with ${SUPPORTED[binding].join(" or ")}.`,
    );
  return version;
}
