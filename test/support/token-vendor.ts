import type { IncomingMessage, ServerResponse } from "node:http";
import { sendJson, startVendor, type Vendor } from "./vendor.ts";

export interface TokenVendor extends Vendor {
  /** As the body of `POST /api/connections`: OAuth 2.0 with client credentials. */
  connection: Record<string, unknown>;
  /** Called with the form of each request for a token. */
  onToken(read: (form: URLSearchParams) => void): void;
  /** The next requests with the token so far are answered with 401. */
  expireTokens(): void;
  /** No token is accepted any more, new ones included. */
  refuseAll(): void;
}

/** A service whose tokens `hush-token-1`, `hush-token-2` … are requested from itself. `answer` gets requests with a valid one. */
export async function startTokenVendor(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<TokenVendor> {
  let issued = 0;
  let valid = 0;
  let isRefusing = false;
  let readForm: (form: URLSearchParams) => void = () => undefined;
  const vendor = await startVendor((request, response) => {
    if (request.url === "/token") {
      issued += 1;
      valid = issued;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        readForm(new URLSearchParams(Buffer.concat(chunks).toString()));
        sendJson(response, 200, { access_token: `hush-token-${issued}`, token_type: "bearer" });
      });
      return;
    }
    const isValid = !isRefusing && request.headers.authorization === `Bearer hush-token-${valid}`;
    if (isValid) return void answer(request, response);
    sendJson(response, 401, { error: `refused ${request.headers.authorization}` });
  });
  return {
    ...vendor,
    connection: {
      kind: "oauth2",
      name: "Vendor",
      hosts: [vendor.host],
      settings: { grant: "client_credentials", tokenUrl: `${vendor.url}/token`, clientId: "baton" },
      secrets: { clientSecret: "hush-client-secret" },
    },
    onToken: (read) => void (readForm = read),
    expireTokens: () => void (valid = -1),
    refuseAll: () => void (isRefusing = true),
  };
}
