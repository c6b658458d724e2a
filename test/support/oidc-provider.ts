import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type AccountClaims, Provider } from "oidc-provider";
import { followRedirects } from "./follow-redirects.ts";

export interface ProviderAccount {
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface TestProvider {
  issuer: string;
  /** The users of the provider by their subject. */
  accounts: Record<string, ProviderAccount>;
  /** The user who logs in next. */
  subject: string;
  /** Logs this user in at the provider, as a browser would, and returns what it appends to the callback's address. */
  logIn(authorizationUrl: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

/** A real OpenID provider on loopback, which asks nobody for a password. */
export async function startOidcProvider(redirectUri: string): Promise<TestProvider> {
  const accounts: Record<string, ProviderAccount> = {};
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "baton",
        client_secret: "hush-hush-provider",
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL(redirectUri).origin],
      },
    ],
    cookies: { keys: ["test"] },
    scopes: ["openid", "email", "profile", "groups"],
    claims: { email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...accounts[id] } as AccountClaims),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant(context) {
      const { client, session, provider: own, result } = context.oidc;
      const grant = new own.Grant({
        clientId: client!.clientId,
        accountId: result?.login?.accountId ?? session!.accountId!,
      });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") === true)
      void provider.interactionFinished(request, response, { login: { accountId: testProvider.subject } });
    else void handle(request, response);
  });

  const testProvider: TestProvider = {
    issuer,
    accounts,
    subject: "",
    async logIn(authorizationUrl, user) {
      testProvider.subject = user;
      return (await followRedirects(authorizationUrl, redirectUri)).search.slice(1);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return testProvider;
}
