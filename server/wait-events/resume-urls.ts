import { createSignedLinks } from "../security/signed-links.ts";
import type { ResumeTarget } from "./wait-event.sql.ts";

export interface ResumeUrls {
  /** The same for every call: a step can send it before the step it continues begins to wait. */
  urlOf(taskId: string, path: string): string;
  /** The step that a token of this service names; undefined for every other text. */
  read(token: string): ResumeTarget | undefined;
}

export function createResumeUrls(serviceUrl: string, secrets: readonly [string, ...string[]]): ResumeUrls {
  const { tokenOf, verify } = createSignedLinks("resume URL", secrets);
  return {
    urlOf(taskId, path) {
      const id = Buffer.from(JSON.stringify([taskId, path])).toString("base64url");
      return `${serviceUrl}/resume/${tokenOf(id)}`;
    },
    read(token) {
      const id = verify(token);
      if (id === undefined) return undefined;
      const [taskId, path] = JSON.parse(Buffer.from(id, "base64url").toString()) as [string, string];
      return { taskId, path };
    },
  };
}
