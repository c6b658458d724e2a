import type { AppAuth } from "../../contract/apps.ts";
import type { ConnectionField } from "./connection-form.ts";

/** The fields for one way to sign in to an app; the app knows the rest. */
export function authFields(auth: AppAuth): readonly ConnectionField[] {
  switch (auth.kind) {
    case "bearer":
      return [{ name: "token", label: auth.title ?? "Token", secret: true }];
    case "api_key":
      return [{ name: "key", label: auth.title ?? "API key", secret: true }];
    case "basic":
      return [
        { name: "username", label: auth.username ?? "User" },
        { name: "password", label: auth.password ?? "Password", secret: true },
      ];
    case "oauth2":
      if (auth.grant === "client_credentials") return clientFields(auth.scopes.length);
      return [
        { name: "clientId", label: "Client ID", optional: true },
        { name: "clientSecret", label: "Client secret", secret: true, optional: true },
      ];
    case "headers":
      return [
        {
          name: "headers",
          label: auth.title ?? "Headers",
          secret: true,
          control: "lines",
          initial: auth.names.map((name) => `${name}: `).join("\n"),
          hint: `One per line: ${auth.names.join(", ")}`,
        },
      ];
  }
}

/** A client that gets the token itself, without a sign-in. */
function clientFields(scopes: number): readonly ConnectionField[] {
  return [
    { name: "clientId", label: "Client ID" },
    { name: "clientSecret", label: "Client secret", secret: true },
    {
      name: "scopes",
      label: "Scopes",
      control: "words",
      optional: true,
      hint: scopes === 0 ? "Separated by spaces" : `Separated by spaces. Empty: all ${scopes} of the API`,
    },
    { name: "audience", label: "Audience", optional: true },
    {
      name: "clientAuthentication",
      label: "Client secret is sent in",
      control: "choice",
      initial: "basic",
      options: [
        { value: "basic", label: "Header" },
        { value: "body", label: "Body" },
      ],
    },
  ];
}
