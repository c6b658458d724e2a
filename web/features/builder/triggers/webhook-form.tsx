import { useState } from "react";
import { type SignatureScheme, signatureSchemes } from "../../../../contract/signature-schemes.ts";
import type { HmacOptions } from "../../../../contract/webhooks.ts";
import type { Workflow } from "../../../api/types.ts";
import { createWebhook, updateWebhook, useWebhookMutation, type Webhook } from "../../../api/webhooks.ts";
import { signatureForms } from "../../../flow/signature-forms.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import { HmacFields } from "./hmac-fields.tsx";

interface WebhookFormProps {
  workflow: Workflow;
  webhook: Webhook | undefined;
  onSaved: (webhook: Webhook & { secret?: string }) => void;
  /** Suggests the source of a new webhook; the name of the workflow by default. */
  path?: string | undefined;
  /** Suggests the response of a new webhook. */
  customResponse?: boolean | undefined;
}

const schemes = signatureSchemes.map((scheme) => ({ value: scheme, label: signatureForms[scheme].label }));

/** Name, source and how the sender proves who it is. The fields are those of the chosen signature. */
export function WebhookForm({ workflow, webhook, onSaved, path, customResponse = false }: WebhookFormProps) {
  const [name, setName] = useState(webhook?.name ?? "");
  const [source, setSource] = useState(webhook?.source ?? sourceFrom(path ?? workflow.name));
  const [scheme, setScheme] = useState<SignatureScheme | "">(webhook?.signature?.scheme ?? "");
  const [hmac, setHmac] = useState<HmacOptions>(() => hmacOf(webhook));
  const [secret, setSecret] = useState("");
  const [isCustom, setCustom] = useState(
    webhook === undefined ? customResponse : webhook.customResponse === true,
  );
  const isSameScheme = scheme === (webhook?.signature?.scheme ?? "");
  const isSameSignature =
    isSameScheme && secret === "" && JSON.stringify(hmac) === JSON.stringify(hmacOf(webhook));
  const isChanged =
    webhook === undefined ||
    name !== webhook.name ||
    source !== webhook.source ||
    isCustom !== (webhook.customResponse === true) ||
    !isSameSignature;
  const save = useWebhookMutation(() => {
    const signature = scheme === "" ? null : { scheme, secret, ...(scheme === "hmac" ? hmac : {}) };
    const body = {
      name: name || source,
      source,
      workflowId: workflow.id,
      customResponse: isCustom,
      ...(isSameSignature ? {} : { signature }),
    };
    return webhook === undefined ? createWebhook(body) : updateWebhook(webhook.id, body);
  }, onSaved);
  const form = scheme === "" ? undefined : signatureForms[scheme];
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <div className="side">
        <TextField
          label="Source"
          mono
          required
          value={source}
          onChange={setSource}
          hint={
            webhook !== undefined && source !== webhook.source
              ? `The URL changes: senders must call /webhook/${source} from now on.`
              : `The URL ends with /webhook/${source}`
          }
        />
        <TextField label="Name" value={name} onChange={setName} placeholder={source} />
        <SelectField
          label="Signature"
          emptyOption="None, secret only"
          options={schemes}
          value={scheme}
          onChange={(value) => {
            setScheme(value as SignatureScheme | "");
            setSecret("");
          }}
        />
        {scheme === "hmac" && <HmacFields options={hmac} onChange={setHmac} />}
        {form !== undefined && (
          <TextField
            label={form.secret}
            type="password"
            required={!isSameScheme || JSON.stringify(hmac) !== JSON.stringify(hmacOf(webhook))}
            autoComplete="off"
            value={secret}
            onChange={setSecret}
            hint={isSameScheme ? "Leave empty to keep the current one." : form.hint}
          />
        )}
        <SelectField
          label="Response"
          value={isCustom ? "custom" : "task"}
          onChange={(value) => setCustom(value === "custom")}
          hint={isCustom ? "The response step returns {statusCode, headers, body}." : undefined}
          options={[
            { value: "task", label: "Immediately, with the id of the run" },
            { value: "custom", label: "When the run ends, as a step defines it" },
          ]}
        />
      </div>
      {save.error !== null && <Failure error={save.error} />}
      {isChanged && (
        <div className="actions">
          <button type="submit" className="btn go" disabled={save.isPending}>
            {webhook === undefined ? "Create webhook" : "Save"}
          </button>
        </div>
      )}
    </form>
  );
}

function hmacOf(webhook: Webhook | undefined): HmacOptions {
  const { header, prefix, algorithm, encoding, timestampHeader } = webhook?.signature ?? {};
  return Object.fromEntries(
    Object.entries({ header, prefix, algorithm, encoding, timestampHeader }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** A source from the name of the workflow: "Refund requests" → "refund-requests". */
function sourceFrom(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" || slug === "a2a" ? "webhook" : slug;
}
