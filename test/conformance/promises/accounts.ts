import type { Section } from "../register.ts";

export const accounts: Section = {
  title: "Accounts",
  promises: [
    {
      id: "3.1",
      text: "`POST /api/auth/register` → 201 `{ok, token, user}`.",
      proofs: ["test/accounts.test.ts › registering answers 201 with a token that opens the account"],
    },
    {
      id: "3.2",
      text: "A second account with the same e-mail address is 409 `email_taken`.",
      proofs: [
        "test/accounts.test.ts › an address can be registered once, in whatever case it is written",
        "test/accounts.test.ts › registrations of one address at once make one account",
      ],
    },
    {
      id: "3.3",
      text: "Passwords have 8–200 characters.",
      proofs: ["test/accounts.test.ts › registration refuses %s and says which field is wrong"],
    },
    {
      id: "3.4",
      text: "The operator can close registration (`registration_closed`).",
      proofs: ["test/accounts.test.ts › registration can be closed; who has an account still logs in"],
    },
    {
      id: "3.5",
      text: "`POST /api/auth/login` returns the same shape; a wrong password and an unknown address are both 401 `invalid_credentials`.",
      proofs: [
        "test/accounts.test.ts › logging in answers as registering does, whatever the case of the address",
        "test/accounts.test.ts › a wrong password and an unknown address get the same answer",
      ],
    },
    {
      id: "3.6",
      text: "`GET /api/auth/me` → `{ok, user}`.",
      proofs: ["test/accounts.test.ts › registering answers 201 with a token that opens the account"],
    },
    {
      id: "3.7",
      text: "The access token is a JWT: HS256, valid for 7 days, `sub` is the user id.",
      proofs: [
        "server/security/tokens.test.ts › an issued token verifies to its user until seven days have passed",
        "test/accounts.test.ts › a token ends after seven days and not before",
      ],
    },
    {
      id: "3.8",
      text: "No token is 401 `missing_token`, a wrong one 401 `invalid_token`.",
      proofs: [
        "test/accounts.test.ts › without a token the answer is 401 missing_token, and the body is not even read",
        "server/security/tokens.test.ts › [S22] refused: %s",
      ],
    },
    {
      id: "3.9",
      text: "All `/api` routes except the public ones need an access token.",
      proofs: [
        "test/openapi.test.ts › [S10] what takes a login says so, and what takes none is public indeed",
      ],
    },
    {
      id: "3.10",
      text: "An API key is not an access token.",
      proofs: ["test/keys.test.ts › an API key is not a login"],
    },
    {
      id: "3.11",
      text: "Logins are limited to 20 per minute and caller address, registrations to ten times as many.",
      proofs: [
        "test/accounts.test.ts › [S22] the login limit answers 429 with Retry-After, and a forged X-Forwarded-For does not lift it",
        "test/accounts.test.ts › ten times as many accounts may be opened as logins tried, and not more",
      ],
    },
  ],
};
