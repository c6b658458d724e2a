import type { Section } from "./section.ts";

export const oauth: Section = {
  title: "OAuth",
  promises: [
    {
      id: "22.1",
      text: "`GET /.well-known/oauth-protected-resource` and `GET /.well-known/oauth-authorization-server` describe the MCP server and its authorization server; `PUBLIC_URL` is the issuer.",
      proofs: [
        "test/oauth.test.ts › the metadata leads from the resource to the authorization server and its endpoints",
        "test/oauth.test.ts › behind a proxy PUBLIC_URL is the issuer, whatever the request says",
        "test/oauth.test.ts › a page of any origin can discover, register and ask for tokens, but not decide for the user",
      ],
    },
    {
      id: "22.2",
      text: "`POST /oauth/register` registers a client; the number of requests to it and to `/oauth/token` is limited, unused clients expire, and no redirect URI runs code or leaves https, loopback or an app's own scheme.",
      proofs: [
        "test/oauth.test.ts › a client with a dangerous or malformed redirect URI, or without one, cannot register",
        "test/oauth.test.ts › a flood of registrations is refused by address",
        "test/oauth.test.ts › a flood of token requests is refused by address",
        "test/oauth.test.ts › an unused client expires after a day, and one that a user allowed stays",
        "server/oauth/client-store.test.ts › a flood evicts only clients that nobody connected, the oldest first",
        "server/oauth/redirect-uris.test.ts › a redirect URI matches exactly, except for the port of a program on the same computer",
        "server/oauth/client-metadata.test.ts › a name that mixes alphabets with look-alike letters is refused",
      ],
    },
    {
      id: "22.3",
      text: "A client id may be the address of a Client ID Metadata Document, which is read through the egress guard.",
      proofs: [
        "server/oauth/client-documents.test.ts › the document is read without redirects, with limits of size and time, and kept as long as it says",
        "server/oauth/client-documents.test.ts › an address that the egress guard denies is an unknown client",
      ],
    },
    {
      id: "22.4",
      text: "`GET /api/oauth/authorization` shows what a client asks for and `POST /api/oauth/authorization` decides it, only with the login of the user; a request that names a foreign redirect URI is sent nowhere.",
      proofs: [
        "test/oauth.test.ts › nobody decides for a user: the decision needs the login token, and the page cannot be framed",
        "test/oauth.test.ts › a request of an unknown client, or with a redirect URI of another one, is sent nowhere",
        "test/oauth.test.ts › a request that cannot be allowed becomes an error for the client, whatever the user decides",
        "test/oauth.test.ts › a refusal goes back to the client with its state and the issuer",
        "test/browser/consent.test.ts › a user signs in, sees the app and its redirect address, allows it, and disconnects the app",
        "test/browser/consent.test.ts › a refusal goes back to the app, and a request with a foreign address goes nowhere",
      ],
    },
    {
      id: "22.5",
      text: "`POST /oauth/token` exchanges a code (once, with its PKCE verifier) or a refresh token (once); a second use revokes the family.",
      proofs: [
        "test/oauth.test.ts › a user allows a public client, which gets tokens that only it can refresh",
        "test/oauth-clients.test.ts › the official MCP client discovers, registers, asks for consent, calls, refreshes and stops when it is disconnected",
        "test/oauth.test.ts › a confidential client proves itself with its secret, in the header or in the body but not in both",
        "test/oauth.test.ts › malformed token requests get OAuth's error shape",
        "server/oauth/access-tokens.test.ts › [S16] a code is valid once: the second use ends the tokens of the first",
        "server/oauth/access-tokens.test.ts › [S16] a code needs its verifier, its client, its redirect URI, its resource and its minute",
        "server/oauth/access-tokens.test.ts › [S16] a refresh token is valid once: the second use ends the whole family",
        "server/oauth/access-tokens.test.ts › [S16] an access token ends after an hour, and for another audience it never began",
      ],
    },
    {
      id: "22.6",
      text: "`POST /oauth/revoke`, `DELETE /api/connected-apps/{id}` and the deletion of the account end tokens at once; `GET /api/connected-apps` lists them, 404 `connected_app_not_found` for an unknown one.",
      proofs: [
        "test/oauth.test.ts › a client revokes its own tokens, and an unknown token is no error",
        "test/oauth.test.ts › connected apps are listed for their owner, and disconnecting one ends its tokens",
        "server/oauth/access-tokens.test.ts › [S16] a revoked token, a disconnected app and a deleted account are refused at once, in every process",
        "test/oauth.test.ts › [S16] codes, secrets and tokens are stored only as hashes",
      ],
    },
  ],
};
