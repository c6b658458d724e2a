import { useState } from "react";
import type { CreateMcpServer } from "../../../contract/mcp-servers.ts";
import {
  createMcpServer,
  type McpServer,
  updateMcpServer,
  useMcpServerMutation,
  useStdioServers,
} from "../../api/mcp-servers.ts";
import { BY_HTTP } from "../../flow/wanted-connection.ts";
import { Field, SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { readHeaders } from "../../flow/read-headers.ts";
import { ConnectionPicker } from "../connections/connection-picker.tsx";

const ACCESS = [
  { value: "none", label: "None" },
  { value: "headers", label: "Headers, such as an API key" },
  { value: "oauth", label: "OAuth: sign in at the server" },
  { value: "connection", label: "A connection" },
];

interface McpServerDialogProps {
  /** Undefined for a new one. */
  server: McpServer | undefined;
  onClose: () => void;
}

export function McpServerDialog({ server, onClose }: McpServerDialogProps) {
  const stdioNames = useStdioServers().data ?? [];
  const [name, setName] = useState(server?.name ?? "");
  const [url, setUrl] = useState(server?.url ?? "");
  const [stdio, setStdio] = useState(server?.stdio ?? "");
  const [auth, setAuth] = useState<McpServer["auth"]>(server?.auth ?? "none");
  const [headers, setHeaders] = useState("");
  const [connection, setConnection] = useState(server?.connection ?? undefined);
  const [client, setClient] = useState<OauthClient>({ clientId: "", clientSecret: "" });
  const parsed = readHeaders(headers);
  const isNew = server === undefined;
  const save = useMcpServerMutation(() => {
    const access = {
      auth,
      ...(auth === "headers" && headers.trim() !== "" && parsed.headers && { headers: parsed.headers }),
      ...(auth === "oauth" && client.clientId !== "" && { oauth: withoutEmptySecret(client) }),
      ...(auth === "connection" && connection !== undefined && { connection }),
    };
    const body: CreateMcpServer = stdio === "" ? { name, url, ...access } : { name, stdio };
    if (isNew) return createMcpServer(body);
    return updateMcpServer(server.id, server.stdio === null ? { name, url, ...access } : { name });
  }, onClose);
  const isProgram = stdio !== "";
  return (
    <FormDialog
      title={isNew ? "Add MCP server" : `Edit ${server.name}`}
      onClose={onClose}
      action={save}
      submit={isNew ? "Add server" : "Save"}
      ready={parsed.error === undefined && (isProgram || auth !== "connection" || connection !== undefined)}
    >
      <TextField label="Name" value={name} onChange={setName} required placeholder="Issue tracker" />
      {isNew && stdioNames.length > 0 && (
        <SelectField
          label="Kind"
          value={stdio}
          onChange={setStdio}
          emptyOption="Web address"
          options={stdioNames.map((each) => ({ value: each, label: `Program: ${each}` }))}
        />
      )}
      {!isProgram && (
        <>
          <TextField
            label="Address"
            value={url}
            onChange={setUrl}
            type="url"
            required
            placeholder="https://mcp.example.com/mcp"
          />
          <SelectField
            label="Authentication"
            value={auth}
            onChange={(value) => setAuth(value as McpServer["auth"])}
            options={ACCESS}
          />
        </>
      )}
      {!isProgram && auth === "headers" && (
        <TextField
          label="Headers"
          value={headers}
          onChange={setHeaders}
          rows={3}
          mono
          placeholder="Authorization: Bearer …"
          error={parsed.error}
          hint={
            isNew || server.headerNames.length === 0
              ? "One per line. They are stored encrypted and never shown again."
              : `Stored: ${server.headerNames.join(", ")}. Leave empty to keep them.`
          }
        />
      )}
      {!isProgram && auth === "connection" && (
        <Field label="Connection" hint="Its credential is sent only to its hosts.">
          {(ids) => (
            <ConnectionPicker ids={ids} wanted={BY_HTTP} value={connection} onChange={setConnection} />
          )}
        </Field>
      )}
      {!isProgram && auth === "oauth" && <ClientFields client={client} onChange={setClient} />}
    </FormDialog>
  );
}

interface OauthClient {
  clientId: string;
  clientSecret: string;
}

function withoutEmptySecret({
  clientId,
  clientSecret,
}: OauthClient): Partial<OauthClient> & { clientId: string } {
  return clientSecret === "" ? { clientId } : { clientId, clientSecret };
}

interface ClientFieldsProps {
  client: OauthClient;
  onChange: (client: OauthClient) => void;
}

function ClientFields({ client, onChange }: ClientFieldsProps) {
  return (
    <details>
      <summary className="small">Client of your own</summary>
      <div className="stack">
        <TextField
          label="Client ID"
          value={client.clientId}
          onChange={(clientId) => onChange({ ...client, clientId })}
          hint="Only for a server that does not register clients by itself."
        />
        <TextField
          label="Client secret"
          value={client.clientSecret}
          onChange={(clientSecret) => onChange({ ...client, clientSecret })}
          type="password"
          autoComplete="off"
        />
      </div>
    </details>
  );
}
