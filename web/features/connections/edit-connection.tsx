import { useState } from "react";
import { isWayOf } from "../../../contract/apps.ts";
import { useApp } from "../../api/apps.ts";
import { type Connection, updateConnection, useConnectionMutation } from "../../api/connections.ts";
import { authFields } from "../../flow/app-auth-fields.ts";
import { type ConnectionField, type FormValues, writtenValues } from "../../flow/connection-form.ts";
import { connectionKindForms } from "../../flow/connection-kinds.ts";
import { splitWords } from "../../flow/split-words.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { AppFields } from "./app-fields.tsx";

interface EditConnectionProps {
  connection: Connection;
  onSaved: () => void;
  onClose: () => void;
}

/** Replaces the secret, and changes the settings around it. The stored secret is never shown. */
export function EditConnection({ connection, onSaved, onClose }: EditConnectionProps) {
  const { id, kind, app, name } = connection;
  const details = useApp(app ?? undefined, []).data;
  const auth = details?.auth.find((way) => isWayOf(way, kind, connection.settings));
  const stored = auth === undefined ? connectionKindForms[kind].fields : authFields(auth);
  // The secret is what most people replace, unless they sign in again.
  const fields = kind === "oauth2" ? stored : stored.toSorted((a, b) => rankOf(a) - rankOf(b));
  const [values, setValues] = useState<FormValues>(() => textsOf(connection.settings));
  const [appValues, setAppValues] = useState<FormValues>(connection.fields);
  const hasAppFields = Object.keys(details?.fields ?? {}).length > 0;
  const [hosts, setHosts] = useState(connection.hosts.join(" "));
  const { settings, secrets, problem } = writtenValues(fields, values);
  const hasHosts = app === null && connectionKindForms[kind].hasHosts;
  const save = useConnectionMutation(
    () =>
      updateConnection(id, {
        settings,
        ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
        ...(hasAppFields ? { fields: appValues } : {}),
        ...(hasHosts ? { hosts: splitWords(hosts) } : {}),
      }),
    onSaved,
  );
  return (
    <FormDialog
      title={`Change ${name}`}
      onClose={onClose}
      action={save}
      submit="Save"
      ready={problem === undefined}
    >
      <AppFields app={details} values={appValues} onChange={setAppValues} />
      <ConnectionFields fields={fields} values={values} onChange={setValues} problem={problem} isStored />
      {hasHosts && <TextField label="Hosts" value={hosts} onChange={setHosts} required />}
    </FormDialog>
  );
}

const rankOf = ({ secret }: ConnectionField): number => (secret === true ? 0 : 1);

/** Stored settings as the form writes them. */
function textsOf(settings: Readonly<Record<string, unknown>>): FormValues {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(" ") : String(value as string | number | boolean),
    ]),
  );
}
