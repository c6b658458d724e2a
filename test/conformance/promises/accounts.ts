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
        "test/accounts.test.ts › an email address can be registered once, regardless of case",
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
      text: "An API key without the scope of a route does not open it.",
      proofs: ["test/keys.test.ts › a key without management scopes manages nothing"],
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
        "test/streams-end.test.ts › [S22] the end of a session ends its streams, and no others",
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
    {
      id: "3.30",
      text: "With a second factor, `POST /api/auth/login` is 401 `second_factor_required` with `details.challenge`; `POST /api/auth/login/second-factor` with it and a code logs in, within five minutes (401 `invalid_challenge`). `GET /api/auth/me` shows `twoFactor`.",
      proofs: [
        "test/second-factor.test.ts › [S22] with the second factor on, a login needs the password and a code",
        "test/second-factor.test.ts › [S22] a challenge expires after five minutes and with a change of the password, and cannot be forged",
        "server/security/totp.test.ts › the code at second %d is the one of RFC 6238",
      ],
    },
    {
      id: "3.31",
      text: "A code and a recovery code work once (401 `invalid_code`); ten wrong ones block the second factor for up to 15 minutes (429 `rate_limited`).",
      proofs: [
        "test/second-factor.test.ts › [S22] a code works once, and the one that turned the second factor on never logs in",
        "test/second-factor.test.ts › [S22] a recovery code replaces a code of the app once, however it is typed",
        "test/second-factor.test.ts › [S22] ten wrong codes block the second factor, also for concurrent guesses and right codes",
      ],
    },
    {
      id: "3.32",
      text: "`GET /api/auth/second-factor` shows the state, `POST /api/auth/second-factor/setup` makes a secret. `POST /api/auth/second-factor/enable`, `POST /api/auth/second-factor/disable` and `POST /api/auth/second-factor/recovery-codes` need the password and a code (409 `second_factor_enabled`, `second_factor_not_enabled`); an operator can turn it off.",
      proofs: [
        "test/second-factor.test.ts › [S22] turning it on, turning it off and new recovery codes need the password and a code",
        "test/second-factor.test.ts › an operator turns the second factor of a user off",
        "test/second-factor.test.ts › the secret is sealed in the database",
      ],
    },
    {
      id: "3.33",
      text: "`POST /api/auth/password/forgot` is 200 for every address; `POST /api/auth/password/reset` with the token of the mail works once within an hour (400 `invalid_link`) and ends every login. Links use `PUBLIC_URL`.",
      proofs: [
        "test/account-links.test.ts › [S22] a mailed link sets a new password once and ends every login",
        "test/account-links.test.ts › [S22] an unknown address gets the same response, and no mail",
        "test/account-links.test.ts › [S22] a link expires after an hour, and a new password ends the other links",
        "test/account-links.test.ts › a mailbox gets at most five links in an hour",
        "test/account-links.test.ts › a link of one purpose does not serve another",
      ],
    },
    {
      id: "3.34",
      text: "With SMTP, a new account gets a mail whose token confirms its address with `POST /api/auth/email/confirm` (`emailConfirmedAt`); `POST /api/auth/email/confirmation` sends it again. Without SMTP both are 503 `mail_not_configured`.",
      proofs: [
        "test/account-links.test.ts › a new account gets a mail to confirm its address, once",
        "test/account-links.test.ts › a password reset by mail confirms the address, and one by the operator does not",
        "test/account-links.test.ts › without SMTP, the login screen offers no mail, and the operator confirms addresses",
      ],
    },
    {
      id: "3.36",
      text: "With `OIDC_ISSUER`, `POST /api/auth/oidc/start` → `{authorizationUrl}` and `POST /api/auth/oidc/callback` → a login; the first one creates the account. `GET /api/auth/methods` names the provider.",
      proofs: [
        "test/oidc.test.ts › the first login creates the account, the next one finds it, also under another address",
        "test/oidc.test.ts › the login screen names the provider, and the cookie is for this browser only",
        "test/oidc.test.ts › without a provider the routes say so, and an unreachable one is 503",
        "test/oidc.test.ts › logging out names the logout page of the provider, for its logins only",
        "test/oidc.test.ts › an account without a password is deleted after a recent login, and its identity with it",
      ],
    },
    {
      id: "3.37",
      text: "Forged, foreign, expired and replayed responses of the provider are 401 `provider_login_failed` and create nothing.",
      proofs: [
        "test/oidc.test.ts › [S22] a response from another browser, for another login or used before creates nothing",
        "test/oidc.test.ts › [S22] a login that took more than ten minutes is refused",
        "server/accounts/oidc/oidc-provider.test.ts › [S22] an ID token with %s is refused",
        "server/accounts/oidc/oidc-provider.test.ts › [S22] a response with %s is refused before the code is used",
        "server/accounts/oidc/oidc-provider.test.ts › a login carries PKCE, state and nonce, and returns the claims of the ID token",
      ],
    },
    {
      id: "3.38",
      text: "An existing account is linked only if the provider verified the address and the account confirmed it, or registration is closed; `OIDC_ONLY` turns passwords off (403 `password_login_disabled`).",
      proofs: [
        "test/oidc.test.ts › [S22] an existing account is linked only if both sides have proved the address",
        "test/oidc.test.ts › OIDC_ONLY turns passwords off, and OIDC_CREATE_ACCOUNTS=false creates no account",
        "test/oidc.test.ts › [S22] on a new instance that others can reach, only a mapped administrator may be first",
      ],
    },
    {
      id: "3.35",
      text: "The first account of an instance is its administrator (`isAdministrator` of `GET /api/auth/me`); older instances: the oldest account.",
      proofs: [
        "test/administrators.test.ts › the first account is the administrator; when the last one is deleted, the oldest account follows",
        "test/administrators.test.ts › the operator makes accounts administrators",
        "test/admin-users.test.ts › [S22] two first registrations at once make one administrator",
        "server/accounts/account.sql.test.ts › [S22] first accounts that several processes store at once make one administrator",
        "server/storage/migrations/062-account-links.test.ts › on %s the oldest account that is not being deleted becomes the administrator",
      ],
    },
  ],
};
