import packageFile from "../../package.json" with { type: "json" };
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { Call, Client, Handler } from "./call.ts";
import {
  invalidParams,
  LEGACY_VERSIONS,
  META,
  type Result,
  RPC,
  RpcFailure,
  SUPPORTED_VERSIONS,
  TASKS_EXTENSION,
} from "./protocol.ts";

export const SERVER_INFO = { name: "baton", title: "Baton", version: packageFile.version };

const INSTRUCTIONS =
  "Each tool runs a workflow, an agent or a team of this Baton account. A result names its run in _meta as baton/taskId.";

/** How long a client may cache a response. A changed switch takes effect at once for calls. */
const CACHE_MS = 60_000;
const CACHEABLE: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
]);

const COMMON_CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };
const LEGACY_CAPABILITIES = {
  ...COMMON_CAPABILITIES,
  tasks: { cancel: {}, requests: { tools: { call: {} } } },
};
const MODERN_CAPABILITIES = { ...COMMON_CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };

export interface MethodTables {
  modern: Readonly<Record<string, Handler>>;
  legacy: Readonly<Record<string, Handler>>;
}

/** The handshake of older versions and the discovery of the newer one. */
export function lifecycleMethods(): { modern: Record<string, Handler>; legacy: Record<string, Handler> } {
  return {
    modern: {
      "server/discover": () =>
        Promise.resolve({
          supportedVersions: SUPPORTED_VERSIONS,
          capabilities: MODERN_CAPABILITIES,
          instructions: INSTRUCTIONS,
        }),
    },
    legacy: {
      initialize: ({ params }) => {
        const { protocolVersion: requested, capabilities } = params;
        if (typeof requested !== "string" || !isRecord(capabilities))
          return Promise.reject(invalidParams("initialize needs protocolVersion and capabilities."));
        return Promise.resolve({
          protocolVersion: LEGACY_VERSIONS.includes(requested) ? requested : LEGACY_VERSIONS[0]!,
          capabilities: LEGACY_CAPABILITIES,
          serverInfo: SERVER_INFO,
          instructions: INSTRUCTIONS,
        });
      },
      ping: () => Promise.resolve({}),
    },
  };
}

/** Runs one request. Every error is a JSON-RPC error; unexpected ones say nothing about their cause. */
export function createDispatch(methods: MethodTables, report: (error: unknown, what: string) => void) {
  return async (call: Call): Promise<Result> => {
    const { client, method } = call;
    const table = client.isModern ? methods.modern : methods.legacy;
    const handler = Object.hasOwn(table, method) ? table[method] : undefined;
    if (handler === undefined)
      throw new RpcFailure(RPC.methodNotFound, "Method not found", { status: client.isModern ? 404 : 200 });
    try {
      return complete(client, method, await handler(call));
    } catch (error) {
      if (error instanceof RpcFailure) throw error;
      if (error instanceof AppError) throw invalidParams(error.message);
      report(error, `answering ${method} of an MCP client`);
      throw new RpcFailure(RPC.internalError, "An internal error occurred.", { status: 500 });
    }
  };
}

/** The fields that every result of the newer version has. */
function complete({ isModern }: Client, method: string, result: Result): Result {
  if (!isModern) return result;
  return {
    resultType: "complete",
    ...(CACHEABLE.has(method) && { ttlMs: CACHE_MS, cacheScope: "private" }),
    ...result,
    _meta: { ...(isRecord(result["_meta"]) && result["_meta"]), [META.server]: SERVER_INFO },
  };
}
