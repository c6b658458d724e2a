import type { App } from "../../apps/define-app.ts";
import { inputSchemaOf } from "../../contract/apps.ts";
import { checkInput } from "../../contract/input/check-input.ts";
import type { ConnectionApp, ConnectionApps } from "../connections/connection-app.ts";
import { invalidRequest } from "../lib/errors.ts";
import type { AppClient } from "./app-client.ts";
import type { AppCatalogue } from "./catalogue.ts";
import { testApp } from "./test-app.ts";

/** Apps as connections see them: ways to log in, hosts, fields, and a test of the credential. */
export function createConnectionApps({
  catalogue,
  client,
}: {
  catalogue: Pick<AppCatalogue, "find" | "builtIn">;
  client: AppClient;
}): ConnectionApps {
  const toConnectionApp = (app: App): ConnectionApp => ({
    id: app.id,
    title: app.title,
    hosts: app.hosts,
    auth: app.auth,
    checkFields: (fields) => checkFields(app, fields),
    test: (use, signal) => testApp(client, app, use, signal),
  });
  return {
    async find(ownerId, id) {
      const app = await catalogue.find(ownerId, id, []);
      return app && toConnectionApp(app);
    },
    builtIn: () => catalogue.builtIn.map(toConnectionApp),
  };
}

function checkFields(app: App, given: Readonly<Record<string, string>>): void {
  const fields = app.fields ?? {};
  const { problems = {} } = checkInput(inputSchemaOf(fields), { ...given });
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const empty = Object.keys(fields).filter((name) => fields[name]?.required && given[name] === "");
  const details = [
    ...Object.entries(problems ?? {}).map(([name, message]) => ({ path: `fields.${name}`, message })),
    ...empty.map((name) => ({ path: `fields.${name}`, message: `${fields[name]?.title} is required.` })),
    ...unknown.map((name) => ({ path: `fields.${name}`, message: `${app.title} has no such field` })),
  ];
  if (details.length > 0)
    throw invalidRequest(`The fields of ${app.title} are not complete: ${details[0]?.message}`, details);
}
