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
  ],
};
