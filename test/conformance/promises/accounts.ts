import type { Section } from "./section.ts";

export const accounts: Section = {
  title: "Accounts",
  promises: [
    {
      id: "3.1",
      text: "`POST /api/auth/register` → 201 `{ok, token, user}`.",
      proofs: ["test/accounts.test.ts › registering returns 201 with a token for the account"],
    },
    {
      id: "3.2",
      text: "A second account with the same email address is 409 `email_taken`.",
      proofs: [
        "test/accounts.test.ts › an e-mail address can be registered once, regardless of case",
        "test/accounts.test.ts › concurrent registrations of one address create one account",
      ],
    },
    {
      id: "3.3",
      text: "Passwords have 8–200 characters.",
      proofs: ["test/accounts.test.ts › registration rejects %s and names the field"],
    },
    {
      id: "3.4",
      text: "The operator can close registration (`registration_closed`).",
      proofs: ["test/accounts.test.ts › with closed registration, existing accounts can still log in"],
    },
    {
      id: "3.5",
      text: "`POST /api/auth/login` returns the same shape; a wrong password and an unknown address are both 401 `invalid_credentials`.",
      proofs: [
        "test/accounts.test.ts › logging in returns the same as registering, regardless of the case of the address",
        "test/accounts.test.ts › a wrong password and an unknown address get the same response",
      ],
    },
    {
      id: "3.6",
      text: "`GET /api/auth/me` → `{ok, user}`.",
      proofs: ["test/accounts.test.ts › registering returns 201 with a token for the account"],
    },
    {
      id: "3.7",
      text: "The access token is a JWT: HS256, valid for 7 days, `sub` is the user id.",
      proofs: [
        "server/security/tokens.test.ts › an issued token verifies to its user until seven days have passed",
        "test/accounts.test.ts › a token expires after seven days",
      ],
    },
    {
      id: "3.8",
      text: "No token is 401 `missing_token`, a wrong one 401 `invalid_token`.",
      proofs: [
        "test/accounts.test.ts › without a token the response is 401 missing_token, and the body is not read",
        "server/security/tokens.test.ts › [S22] rejected: %s",
      ],
    },
    {
      id: "3.9",
      text: "All `/api` routes except the public ones need an access token.",
      proofs: [
        "test/openapi.test.ts › [S10] the document's security matches the routes: protected ones return 401, public ones do not",
      ],
    },
    {
      id: "3.10",
      text: "An API key is not an access token.",
      proofs: ["test/keys.test.ts › an API key is not accepted as a login token"],
    },
    {
      id: "3.11",
      text: "Logins are limited to 20 per minute and caller address, registrations to ten times as many.",
      proofs: [
        "test/accounts.test.ts › [S22] the login limit returns 429 with Retry-After, and a forged X-Forwarded-For does not bypass it",
        "test/accounts.test.ts › the registration limit is ten times the login limit",
      ],
    },
  ],
};
