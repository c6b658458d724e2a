import { type Agent, useModels } from "../../api/agents.ts";
import { PROVIDERS } from "../../../contract/models.ts";
import { providerOf, providerTitle } from "../../flow/model-services.ts";
import { OF_MODELS } from "../../flow/wanted-connection.ts";
import { Field, SelectField, TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { splitCommas } from "../../ui/split-commas.ts";
import { ConnectionPicker } from "../connections/connection-picker.tsx";
import { AgentTools } from "./agent-tools.tsx";
import type { AgentDraft } from "./agent-draft.ts";

interface ConfigurationProps {
  agent: Agent;
  draft: AgentDraft;
  onChange: (draft: AgentDraft) => void;
}

export function AgentConfiguration({ agent, draft, onChange }: ConfigurationProps) {
  const set = (change: Partial<AgentDraft>): void => onChange({ ...draft, ...change });
  const setLimit = (name: keyof AgentDraft["limits"], value: number | null): void => {
    const { [name]: _old, ...others } = draft.limits;
    set({ limits: value === null ? others : { ...others, [name]: value } });
  };
  const { modelCalls, tokens } = draft.limits;
  return (
    <>
      <ModelField draft={draft} set={set} />
      <TextField
        label="Instructions"
        rows={9}
        value={draft.systemPrompt}
        onChange={(systemPrompt) => set({ systemPrompt })}
        placeholder="You answer questions about orders. Look the order up before you answer."
      />
      <AgentTools
        key={agent.updatedAt}
        saved={agent.tools}
        tools={draft.tools}
        onChange={(tools) => set({ tools })}
      />
      <details className="fold card flat">
        <summary>
          <b>Limits</b>
          <span className="muted ellipsis">
            {modelCalls ?? 12} model calls{tokens === undefined ? "" : ` · ${tokens} tokens`} per answer
          </span>
        </summary>
        <div className="stack">
          <NumberField
            label="Model calls per answer"
            value={modelCalls ?? null}
            onChange={(value) => setLimit("modelCalls", value)}
            min={1}
            max={50}
            placeholder="12"
          />
          <NumberField
            label="Tokens per answer"
            value={tokens ?? null}
            onChange={(value) => setLimit("tokens", value)}
            min={100}
            max={10_000_000}
            placeholder="No limit"
          />
          <NumberField
            label="Temperature"
            value={draft.temperature}
            onChange={(temperature) => set({ temperature })}
            min={0}
            max={2}
            step={0.1}
            placeholder="Default of the model"
          />
        </div>
      </details>
      <details className="fold card flat">
        <summary>
          <b>Details</b>
          <span className="muted ellipsis">{draft.role || "Name, role, capabilities"}</span>
        </summary>
        <div className="stack">
          <TextField label="Name" value={draft.name} onChange={(name) => set({ name })} required />
          <TextField label="Role" value={draft.role} onChange={(role) => set({ role })} />
          <CapabilitiesField value={draft.capabilities} onChange={(capabilities) => set({ capabilities })} />
        </div>
      </details>
    </>
  );
}

/** Uncontrolled: a comma that is typed is not a capability yet. */
function CapabilitiesField({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }) {
  return (
    <label className="field">
      <span className="name">Capabilities</span>
      <input
        className="in"
        defaultValue={value.join(", ")}
        placeholder="research, summarize"
        onChange={(event) => onChange(splitCommas(event.target.value))}
      />
    </label>
  );
}

const DEFAULT_MODEL = "";

function ModelField({ draft, set }: { draft: AgentDraft; set: (change: Partial<AgentDraft>) => void }) {
  const models = useModels().data ?? [];
  const nameOf = (provider: string | null, model: string | null): string =>
    model === null ? DEFAULT_MODEL : `${provider ?? ""}/${model}`;
  const value = nameOf(draft.provider, draft.model);
  const options = models.map(({ provider, model }) => ({ value: `${provider}/${model}`, label: model }));
  if (value !== DEFAULT_MODEL && !options.some((option) => option.value === value))
    options.push({ value, label: draft.model ?? "" });
  const standard = models.find(({ isDefault }) => isDefault);
  function choose(chosen: string): void {
    const at = chosen.indexOf("/");
    const provider = chosen.slice(0, at);
    set(
      chosen === DEFAULT_MODEL
        ? { provider: null, model: null }
        : { provider: provider === "" ? null : provider, model: chosen.slice(at + 1) },
    );
  }
  return (
    <>
      <Field label="Connection" hint="Calls the model with your own account or server.">
        {(ids) => (
          <ConnectionPicker
            ids={ids}
            wanted={OF_MODELS}
            value={draft.connection ?? undefined}
            onChange={(connection, hosts) => set(modelOf(connection, hosts, draft))}
            optional
          />
        )}
      </Field>
      {draft.connection === null ? (
        <SelectField
          label="Model"
          value={value}
          onChange={choose}
          options={options}
          emptyOption={standard === undefined ? "Default" : `Default · ${standard.model}`}
        />
      ) : (
        <ConnectedModel draft={draft} set={set} />
      )}
    </>
  );
}

/** With the provider of the hosts. The server address is kept only for a server of the user's own. */
function modelOf(
  connection: string | undefined,
  hosts: readonly string[] | undefined,
  { provider, baseUrl }: AgentDraft,
): Partial<AgentDraft> {
  if (connection === undefined) return { connection: null, baseUrl: null, provider: null, model: null };
  if (hosts === undefined) return { connection, provider: provider ?? "openai" };
  const called = providerOf(hosts);
  return { connection, provider: called, baseUrl: called === "openai-compatible" ? baseUrl : null };
}

/** A model of the user's own account: its API, its name, and the address of the user's own server. */
function ConnectedModel({ draft, set }: { draft: AgentDraft; set: (change: Partial<AgentDraft>) => void }) {
  const orNull = (text: string) => (text === "" ? null : text);
  return (
    <>
      <SelectField
        label="Provider"
        value={draft.provider ?? "openai"}
        onChange={(provider) => set({ provider })}
        options={PROVIDERS.map((value) => ({ value, label: providerTitle(value) }))}
      />
      <TextField
        label="Model"
        value={draft.model ?? ""}
        onChange={(model) => set({ model: orNull(model) })}
        placeholder="Default of the provider"
      />
      <TextField
        label="Server address"
        type="url"
        value={draft.baseUrl ?? ""}
        onChange={(baseUrl) => set({ baseUrl: orNull(baseUrl) })}
        placeholder="https://llm.example.com/v1"
        hint="Only for a server of your own."
      />
    </>
  );
}
