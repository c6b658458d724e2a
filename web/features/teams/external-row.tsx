import { useMutation } from "@tanstack/react-query";
import { findAgentCard } from "../../api/teams.ts";
import { useVariables } from "../../api/variables.ts";
import type { MemberRow } from "../../flow/team-form.ts";
import { BY_HTTP } from "../../flow/wanted-connection.ts";
import { Field, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { ConnectionPicker } from "../connections/connection-picker.tsx";

type External = Extract<MemberRow, { kind: "external" }>;

/** An external agent in the form of a team: where it is called, and with which credential. */
export function ExternalRow({ row, onChange }: { row: External; onChange: (row: External) => void }) {
  const secrets = (useVariables().data ?? []).filter(({ secret }) => secret);
  const names = secrets.map(({ name }) => name);
  const options = row.secret === "" || names.includes(row.secret) ? names : [row.secret, ...names];
  return (
    <span className="grow external-fields">
      <TextField
        label="Name of the external agent"
        required
        value={row.name}
        onChange={(name) => onChange({ ...row, name })}
        placeholder="summarizer"
      />
      <TextField
        label="Capabilities"
        value={row.capabilities}
        onChange={(capabilities) => onChange({ ...row, capabilities })}
        placeholder="summarize, translate"
      />
      <TextField
        label="URL"
        type="url"
        value={row.url}
        onChange={(url) => onChange({ ...row, url })}
        placeholder="https://agents.example/a2a"
      />
      {row.url !== "" && (
        <>
          <Field label="Connection">
            {(ids) => (
              <ConnectionPicker
                ids={ids}
                wanted={BY_HTTP}
                value={row.connection}
                onChange={(connection = "") => onChange({ ...row, connection })}
                optional
              />
            )}
          </Field>
          {row.connection === "" && (
            <Field label="Secret variable">
              {(ids) => (
                <select
                  className="in"
                  {...ids}
                  value={row.secret}
                  onChange={(event) => onChange({ ...row, secret: event.target.value })}
                >
                  <option value="">None</option>
                  {options.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {row.secret !== "" && row.connection === "" && (
            <TextField
              label="Header of the credential"
              value={row.header}
              onChange={(header) => onChange({ ...row, header })}
              placeholder="Authorization: Bearer"
            />
          )}
          <CardCheck url={row.url} />
        </>
      )}
    </span>
  );
}

/** Says whether the address answers as an A2A agent, before the team is saved. */
function CardCheck({ url }: { url: string }) {
  const find = useMutation({ mutationFn: () => findAgentCard(url) });
  const { data } = find;
  return (
    <span className="stack tight">
      <button
        type="button"
        className="btn tiny"
        disabled={find.isPending || !URL.canParse(url)}
        onClick={() => find.mutate()}
      >
        Check address
      </button>
      <span className="small muted" role="status">
        {data?.protocol === "webhook" && "No agent card: messages are sent as a webhook."}
        {data?.card != null && `A2A agent “${data.card.name}”. ${headersText(data.card.credentialHeaders)}`}
      </span>
      {find.error !== null && <Failure error={find.error} />}
    </span>
  );
}

function headersText(headers: readonly string[]): string {
  return headers.length === 0 ? "It asks for no credential." : `Credentials: ${headers.join(" or ")}.`;
}
