import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type Message, type Part, Role, type SendMessageConfiguration, type Task } from "@a2a-js/sdk";

/** The bindings of 1.0, and JSON-RPC as a client of 0.3 speaks it. */
export type Binding = "JSONRPC" | "HTTP+JSON" | "0.3";

/** The SDK's own client, with these headers on every request. */
export async function clientFor(
  base: string,
  binding: Binding,
  headers: Record<string, string>,
): Promise<Client> {
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const transport =
    binding === "HTTP+JSON" ? new RestTransportFactory(options) : new JsonRpcTransportFactory(options);
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [transport],
      preferredTransports: [binding === "HTTP+JSON" ? "HTTP+JSON" : "JSONRPC"],
      cardResolver: new DefaultAgentCardResolver({
        legacyCompat: { enabled: true },
        fetchImpl: binding === "0.3" ? onlyLegacyFields(fetchImpl) : fetchImpl,
      }),
    }),
  );
  return factory.createFromUrl(`${base}/.well-known/agent-card.json`, "");
}

/** A client of 0.3 sends no version and knows nothing of `supportedInterfaces`. */
function onlyLegacyFields(fetchImpl: typeof fetch): typeof fetch {
  return async (url) => {
    const { supportedInterfaces: _, ...card } = (await (await fetchImpl(url)).json()) as Record<
      string,
      unknown
    >;
    return Response.json(card);
  };
}

let sent = 0;

export const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});

export const dataPart = (value: unknown): Part => ({
  content: { $case: "data", value },
  metadata: undefined,
  filename: "",
  mediaType: "application/json",
});

/** A request to send this text, or these parts. */
export function say(
  content: string | Part[],
  more: Partial<Message> = {},
  configuration?: Partial<SendMessageConfiguration>,
) {
  return {
    tenant: "",
    message: {
      messageId: `message-${++sent}`,
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: typeof content === "string" ? [textPart(content)] : content,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration: configuration && {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
      ...configuration,
    },
    metadata: undefined,
  };
}

/** Sends it and returns the task. */
export async function sendFor(client: Client, ...message: Parameters<typeof say>): Promise<Task> {
  const response = await client.sendMessage(say(...message));
  if (!("status" in response)) throw new Error("not a task");
  return response;
}
