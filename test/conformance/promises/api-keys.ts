import type { Section } from "./section.ts";

export const apiKeys: Section = {
  title: "API keys",
  promises: [
    {
      id: "12.1",
      text: "`POST /api/keys` → 201 with the raw key, returned once; only a hash is stored.",
      proofs: [
        "test/keys.test.ts › a new key has a name, a prefix and no last use",
        "test/keys.test.ts › [S16] only the hash of a key is stored, and no response shows the key again",
      ],
    },
    {
      id: "12.2",
      text: "`GET /api/keys` lists under `keys`.",
      proofs: ["test/keys.test.ts › keys are listed in pages, newest first"],
    },
    {
      id: "12.3",
      text: "`DELETE /api/keys/{id}` revokes a key; it fails from the next request on.",
      proofs: ["test/keys.test.ts › [S16] a revoked key fails from the next request on"],
    },
    {
      id: "12.4",
      text: "A key may have `expiresAt`, and `lastUsedAt` is recorded.",
      proofs: [
        "test/keys.test.ts › [S16] an expired key fails",
        "test/keys.test.ts › the last use is shown at once and survives a stop",
      ],
    },
    {
      id: "12.5",
      text: "A key has `scopes` (`endpoints` unless others are named); a call that needs another one is 403 `insufficient_scope`.",
      proofs: [
        "test/keys.test.ts › a key opens only what its scopes name, and the list shows them once and in order",
        "server/accounts/bearer-access.test.ts › a key opens what its scopes name, for its owner and under its name",
        "server/accounts/bearer-access.test.ts › [S16] an unknown, revoked or expired key and a key of a deleted account are refused at once",
      ],
    },
    {
      id: "12.6",
      text: "A key opens the management routes whose scope it has; `:write` includes `:read`; others are 403 `insufficient_scope` with the scope, and routes without a scope refuse keys.",
      proofs: [
        "test/key-access.test.ts › a key opens the routes whose scope it has, and `:write` includes `:read`",
        "test/key-access.test.ts › every operation of the document that names a scope is refused without it, and opened to no key without one",
        "test/key-access.test.ts › routes of a person and of the instance refuse keys with a sentence",
        "test/keys.test.ts › a key without management scopes manages nothing",
      ],
    },
    {
      id: "12.7",
      text: "A key acts in its own workspace with the role that its creator has at that moment; a removed member's key opens nothing, and no key creates one that opens more.",
      proofs: [
        "test/key-access.test.ts › [S16] a key acts with the role that its creator has at that moment, and a removed member's key opens nothing",
        "test/key-access.test.ts › a key acts in its own workspace: the header may name it and no other",
        "test/key-access.test.ts › [S16] a key creates no key that opens more than itself",
        "test/key-access.test.ts › [S16] a stream that a key opened ends when the key is revoked",
        "test/key-access.test.ts › [S16] an expired key manages nothing",
      ],
    },
    {
      id: "12.9",
      text: "`GET /api/service-accounts`, `POST /api/service-accounts`, `PATCH /api/service-accounts/{id}` and `DELETE /api/service-accounts/{id}`: members without a login; their keys act with their role and end with them, and stay when their creator leaves.",
      proofs: [
        "test/service-accounts.test.ts › a service account is created, listed with the members, renamed and deleted",
        "test/service-accounts.test.ts › [S16] its keys act with its role at that moment, and open nothing once it is deleted",
        "test/service-accounts.test.ts › its keys stay when the person who created them is removed, and their own keys end",
        "test/service-accounts.test.ts › CI deploys a workflow with a key and no password, as the docs show",
      ],
    },
    {
      id: "12.8",
      text: "A key may be limited to workflows (`workflowIds`) and addresses (`addresses`; others are 403 `address_not_allowed`), on every protocol and without a query more.",
      proofs: [
        "test/key-access.test.ts › a key with workflows opens their endpoints and tasks and no others",
        "test/key-access.test.ts › workflows of a key must be of its workspace and need `endpoints` as the only scope",
        "test/key-access.test.ts › [S16] a key with addresses is refused from others on every protocol, by the address that trusted proxies report",
        "server/endpoints/public-calls.test.ts › endpoint, key, scopes, role, addresses and workflows of a call are one query",
        "server/security/allowed-addresses.test.ts › every entry that the contract accepts can be compared, and others are refused with the reason",
      ],
    },
  ],
};
