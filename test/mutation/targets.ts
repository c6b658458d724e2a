/** Files of one subject, and the tests that must notice a change in any of them. */
export interface Target {
  files: string[];
  tests: string[];
}

/** Only tests that need no other program: each of them runs once for every mutant of its files. */
export const targets: Record<string, Target[]> = {
  graph: [
    {
      files: [
        "contract/graph/branches.ts",
        "contract/graph/components.ts",
        "contract/graph/edges.ts",
        "contract/graph/identity.ts",
        "contract/graph/order.ts",
        "contract/graph/reachability.ts",
        "contract/graph/references.ts",
        "contract/graph/step-references.ts",
        "contract/graph/validate.ts",
        "contract/graph/warnings.ts",
      ],
      tests: ["contract/graph/"],
    },
    {
      files: [
        "server/engine/graph/compiled-graph.ts",
        "server/engine/graph/progress.ts",
        "server/engine/graph/selection.ts",
      ],
      tests: ["server/engine/graph/", "server/engine/journal/"],
    },
  ],
  journal: [
    {
      files: [
        "server/engine/journal/fold.ts",
        "server/engine/journal/outputs.ts",
        "server/engine/journal/recorder.ts",
      ],
      tests: ["server/engine/journal/", "server/engine/graph/"],
    },
  ],
  security: [
    {
      files: [
        "server/security/address-classes.ts",
        "server/security/allowed-addresses.ts",
        "server/security/egress-policy.ts",
        "server/security/egress.ts",
        "server/security/redirects.ts",
      ],
      tests: [
        "server/security/address-classes.test.ts",
        "server/security/allowed-addresses.test.ts",
        "server/security/egress",
        "server/security/redirects.test.ts",
      ],
    },
    {
      files: [
        "server/security/prefix-list.ts",
        "server/security/redact.ts",
        "server/security/redact-known.ts",
        "server/security/redact-stream.ts",
        "server/security/secret-forms.ts",
        "server/security/secret-search.ts",
        "server/security/text-search.ts",
      ],
      tests: [
        "server/security/prefix-list.test.ts",
        "server/security/redact",
        "server/security/text-search.test.ts",
      ],
    },
    { files: ["server/security/decode-escapes.ts"], tests: ["server/security/decode-escapes.test.ts"] },
    { files: ["server/security/secret-box.ts"], tests: ["server/security/secret-box.test.ts"] },
    {
      files: [
        "server/security/guarded-fetch.ts",
        "server/security/outbound-headers.ts",
        "server/security/outbound-url.ts",
        "server/security/outbound-errors.ts",
        "server/security/response-body.ts",
      ],
      tests: [
        "server/security/exchange.test.ts",
        "server/security/guarded-fetch.test.ts",
        "server/security/redirects.test.ts",
      ],
    },
    {
      files: ["server/security/api-keys.ts", "server/security/totp.ts", "server/security/weak-passwords.ts"],
      tests: [
        "server/security/api-keys.test.ts",
        "server/security/totp.test.ts",
        "server/security/weak-passwords.test.ts",
      ],
    },
    { files: ["server/security/passwords.ts"], tests: ["server/security/passwords.test.ts"] },
    {
      files: ["server/accounts/credential-watch.ts"],
      tests: ["server/accounts/credential-watch.test.ts"],
    },
    { files: ["server/accounts/logins.ts"], tests: ["server/accounts/logins.test.ts"] },
    {
      files: ["server/http/rate-limit.ts", "server/lib/rate-limiter.ts"],
      tests: ["server/http/rate-limit.test.ts", "server/lib/rate-limiter.test.ts"],
    },
    {
      files: ["server/security/roles.ts", "server/http/auth.ts", "contract/role-order.ts"],
      tests: ["server/http/auth.test.ts"],
    },
    {
      files: [
        "server/security/signed-links.ts",
        "server/security/standard-webhooks.ts",
        "server/security/tokens.ts",
        "server/webhooks/signatures.ts",
        "server/webhooks/url-signatures.ts",
      ],
      tests: [
        "server/security/signed-links.test.ts",
        "server/security/standard-webhooks.test.ts",
        "server/security/tokens.test.ts",
        "server/webhooks/signatures.test.ts",
        "server/webhooks/url-signatures.test.ts",
      ],
    },
  ],
};
