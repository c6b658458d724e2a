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
      id: "3.18",
      text: "Without `ALLOW_REGISTRATION`, on a `HOST` other than loopback, the first account needs `setupCode` (403 `setup_code_required`); then registration is closed.",
      proofs: [
        "test/setup-mode.test.ts › [S22] on a new instance that others can reach, the first account needs the code, and then registration is closed",
        "test/setup-mode.test.ts › ALLOW_REGISTRATION=true opens registration, false closes it, and on loopback it is open",
      ],
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
    {
      id: "3.12",
      text: "Logins are limited per account too, and an IPv6 /64 network counts as one address.",
      proofs: [
        "test/logins.test.ts › [S22] logins are limited per account, from however many addresses they come",
        "test/logins.test.ts › [S22] the addresses of one IPv6 /64 network share a login limit",
      ],
    },
    {
      id: "3.13",
      text: "`POST /api/auth/password` needs the current password and ends all other logins.",
      proofs: [
        "test/logins.test.ts › [S22] changing the password ends every other login and requires the current password",
      ],
    },
    {
      id: "3.14",
      text: "`POST /api/auth/logout` ends the own login, with `?everywhere=true` all of them.",
      proofs: ["test/logins.test.ts › [S22] logging out ends the token at once, and no other login"],
    },
    {
      id: "3.15",
      text: "`GET /api/auth/sessions` lists the logins, `DELETE /api/auth/sessions/{id}` ends one.",
      proofs: [
        "test/logins.test.ts › the logins of an account are listed newest first and can be ended one by one",
      ],
    },
    {
      id: "3.16",
      text: "A token of an ended login is 401 `invalid_token` at once, in every process; its sockets and event streams are closed.",
      proofs: [
        "test/logins.test.ts › [S22] the end of a login closes its event streams and sockets, and no others",
        "test/logins.test.ts › [S22] a login that ends in one process ends in the others",
        "test/logins.test.ts › [S22] a token from before logins were recorded works until the password changes or its user logs out",
      ],
    },
    {
      id: "3.17",
      text: "A password that is easy to guess is 400 `weak_password`.",
      proofs: [
        "test/logins.test.ts › the common password %j is refused",
        "server/security/weak-passwords.test.ts › %j is weak",
      ],
    },
    {
      id: "3.19",
      text: "`DELETE /api/auth/me` with the password deletes the account and everything it owns; a crash only delays it. Its tokens are 401 `invalid_token` at once.",
      proofs: [
        "test/account-deletion.test.ts › a deleted account leaves nothing behind, and other accounts keep everything",
        "test/account-deletion.test.ts › [S22] tokens, sockets and streams of a deleted account end at once",
        "test/account-deletion.test.ts › a wrong password deletes nothing",
        "test/account-deletion.test.ts › a deletion that a stop interrupted is finished by the next start",
      ],
    },
  ],
};
