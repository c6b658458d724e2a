import { randomBytes } from "node:crypto";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Caller, Client } from "./call.ts";
import { META, TASKS_EXTENSION } from "./protocol.ts";
import type { SignedState } from "./signed-state.ts";

/**
 * Older clients tell their capabilities once, at `initialize`. The session id carries them, signed: no process has to
 * remember a session, and any process can answer.
 */
export interface LegacySession {
  id: string;
  client: Client;
}

const NO_SESSION: Client = { isModern: false, elicits: false, hasTasks: false };

export function createLegacySessions(state: SignedState) {
  return {
    /** The value of the header `Mcp-Session-Id` for a client with these capabilities. */
    open({ callerId }: Caller, capabilities: unknown): string {
      return state.sign({
        caller: callerId,
        elicits: canShowForms(capabilities),
        nonce: randomBytes(12).toString("base64url"),
      });
    },

    /** Undefined for a session of another caller, or one that this service did not open. */
    read({ callerId }: Caller, sessionId: string | undefined): LegacySession | undefined {
      if (sessionId === undefined) return { id: "", client: NO_SESSION };
      const session = state.verify(sessionId);
      if (session?.["caller"] !== callerId) return undefined;
      return { id: sessionId, client: { ...NO_SESSION, elicits: session["elicits"] === true } };
    },
  };
}

export function modernClient(meta: Record<string, unknown>): Client {
  const capabilities = meta[META.capabilities];
  const extensions = isRecord(capabilities) ? capabilities["extensions"] : undefined;
  return {
    isModern: true,
    elicits: canShowForms(capabilities),
    hasTasks: isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]),
  };
}

/** An empty capability means forms; one that lists only URLs does not. */
function canShowForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  return isRecord(elicitation) && (elicitation["form"] !== undefined || elicitation["url"] === undefined);
}
