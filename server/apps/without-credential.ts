import type { App } from "../../apps/define-app.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { hostNotAllowed, isBoundHost } from "../connections/host-binding.ts";
import { AppError } from "../lib/errors.ts";

/** Requests of a public action: to the hosts of the app, with no credential. */
export function withoutCredential({ id, title, hosts }: App): ConnectionUse {
  return {
    id: "",
    ownerId: "",
    name: title,
    kind: "bearer",
    app: id,
    fields: {},
    settings: {},
    secretValues: {},
    secrets: () => [],
    checkHost(url) {
      if (!isBoundHost(hosts, url)) throw hostNotAllowed({ name: title, hosts }, url);
    },
    authorize: () => Promise.resolve(),
    renew: () => Promise.resolve(false),
    succeeded: () => Promise.resolve(),
    refused: () =>
      new AppError(
        "connection_authorization_required",
        `${title} asks for a login. Choose a connection of ${title} in the step.`,
      ),
  };
}
