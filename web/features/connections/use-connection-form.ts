import { useState } from "react";
import type { AppAuth } from "../../../contract/apps.ts";
import type { ConnectionKind, CreateConnection } from "../../../contract/connections.ts";
import type { AppDetails } from "../../api/apps.ts";
import { authFields } from "../../flow/app-auth-fields.ts";
import {
  type ConnectionField,
  type FormValues,
  hostOf,
  initialValues,
  writtenValues,
} from "../../flow/connection-form.ts";
import { connectionKindForms } from "../../flow/connection-kinds.ts";
import type { ModelService } from "../../flow/model-services.ts";
import { splitWords } from "../../flow/split-words.ts";

/** What a new connection is for: an app with one way to sign in, or a kind, perhaps of a known service. */
export type Subject =
  | { app: AppDetails; auth: AppAuth }
  | { kind: ConnectionKind; service?: ModelService | undefined };

/** The state of the form of a new connection, and the request that it makes. */
export function useConnectionForm(subject: Subject) {
  const app = "app" in subject ? subject.app : undefined;
  const kind = "app" in subject ? subject.auth.kind : subject.kind;
  const fields: readonly ConnectionField[] =
    "app" in subject ? authFields(subject.auth) : connectionKindForms[subject.kind].fields;
  const service = "app" in subject ? undefined : subject.service;
  const [name, setName] = useState(app?.title ?? service?.title ?? connectionKindForms[kind].title);
  const [values, setValues] = useState<FormValues>(() => ({ ...initialValues(fields), ...service?.values }));
  const [appValues, setAppValues] = useState<FormValues>({});
  const [typedHosts, setHosts] = useState<string | undefined>(service?.hosts || undefined);
  const hosts = typedHosts ?? hostOf(values["testUrl"] ?? "");
  const { settings, secrets, problem } = writtenValues(fields, values);
  const hasHosts = app === undefined && connectionKindForms[kind].hasHosts;
  // The service checks it: the types of settings and secrets depend on the kind.
  const body = {
    kind,
    name,
    settings: { ...settings, ...("app" in subject ? settingsOfWay(subject.auth) : {}) },
    secrets,
    ...(app === undefined ? {} : { app: app.id, fields: appValues }),
    ...(hasHosts ? { hosts: splitWords(hosts) } : {}),
  } as unknown as CreateConnection;
  return {
    app,
    kind,
    fields,
    name,
    setName,
    values,
    setValues,
    appValues,
    setAppValues,
    hosts,
    setHosts,
    hasHosts,
    problem,
    body,
    /** A person signs in at the service; there is nothing to test before. */
    signsIn:
      kind === "oauth2" &&
      ("app" in subject ? settingsOfWay(subject.auth).grant : values["grant"]) !== "client_credentials",
  };
}

/** An app may have several ways of one kind: the name of the key or the grant says which. */
function settingsOfWay(auth: AppAuth): { name?: string; grant?: string } {
  if (auth.kind === "api_key") return { name: auth.name };
  return auth.kind === "oauth2" && auth.grant !== undefined ? { grant: auth.grant } : {};
}
