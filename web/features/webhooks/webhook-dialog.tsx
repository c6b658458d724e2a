import { useState } from "react";
import { signatureSchemes } from "../../../contract/signature-schemes.ts";
import {
  createWebhook,
  type SignatureScheme,
  updateWebhook,
  useWebhookMutation,
  type Webhook,
} from "../../api/webhooks.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";

const schemes = signatureSchemes.map((scheme) => ({ value: scheme, label: scheme }));

type Saved = Webhook & { secret?: string };

/** Creates a webhook or edits one. A new webhook shows its secret once. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const [name, setName] = useState(webhook?.name ?? "");
  const [source, setSource] = useState(webhook?.source ?? "");
  const [workflowId, setWorkflowId] = useState(webhook?.workflowId ?? "");
  const [scheme, setScheme] = useState<SignatureScheme | "">(webhook?.signature?.scheme ?? "");
  const [header, setHeader] = useState(webhook?.signature?.header ?? "");
  const [signingSecret, setSigningSecret] = useState("");
  const [customResponse, setCustomResponse] = useState(webhook?.customResponse === true);
  const isKept = scheme !== "" && scheme === webhook?.signature?.scheme && signingSecret === "";
  const save = useWebhookMutation(
    (): Promise<Saved> => {
      const signature =
        scheme === ""
          ? null
          : { scheme, secret: signingSecret, ...(scheme === "hmac" && header !== "" ? { header } : {}) };
      const body = {
        name: name || source,
        source,
        workflowId,
        customResponse,
        ...(isKept ? {} : { signature }),
      };
      return webhook === undefined ? createWebhook(body) : updateWebhook(webhook.id, body);
    },
    (saved) => saved.secret === undefined && onClose(),
  );
  const saved = save.data;
  if (saved?.secret !== undefined)
    return <NewWebhook webhook={saved} secret={saved.secret} onClose={onClose} />;
  return (
    <FormDialog
      title={webhook === undefined ? "New webhook" : `Edit “${webhook.name}”`}
      onClose={onClose}
      action={save}
      submit={webhook === undefined ? "Create webhook" : "Save"}
    >
      <TextField
        label="Source"
        mono
        required
        value={source}
        onChange={setSource}
        placeholder="github"
        hint={
          webhook !== undefined && source !== webhook.source
            ? `The URL changes: senders must call /webhook/${source} from now on.`
            : "Part of the URL: /webhook/github"
        }
      />
      <TextField label="Name" value={name} onChange={setName} hint="Optional" />
      <WorkflowSelect emptyOption="Choose a workflow" required value={workflowId} onChange={setWorkflowId} />
      <SelectField
        label="Signature"
        hint="Senders that sign their requests can use a signature instead of the secret."
        emptyOption="None, secret only"
        options={schemes}
        value={scheme}
        onChange={(value) => setScheme(value as SignatureScheme | "")}
      />
      {scheme === "hmac" && (
        <TextField
          label="Signature header"
          mono
          value={header}
          onChange={setHeader}
          placeholder="x-signature"
        />
      )}
      {scheme !== "" && (
        <TextField
          label="Signing secret of the sender"
          type="password"
          required={scheme !== webhook?.signature?.scheme || header !== (webhook.signature.header ?? "")}
          autoComplete="off"
          value={signingSecret}
          onChange={setSigningSecret}
          hint={scheme === webhook?.signature?.scheme ? "Leave empty to keep the current secret." : undefined}
        />
      )}
      <Switch
        label="Wait for the run and return its custom response"
        checked={customResponse}
        onChange={setCustomResponse}
      />
    </FormDialog>
  );
}

function NewWebhook({ webhook, secret, onClose }: { webhook: Webhook; secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="New webhook"
      label="Secret (header x-webhook-secret)"
      value={secret}
      onClose={onClose}
    >
      <div className="row">
        <code className="code grow ellipsis">{webhook.url}</code>
        <CopyButton text={webhook.url} />
      </div>
      <pre className="code">{`curl -X POST ${webhook.url} \\\n  -H "x-webhook-secret: $SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '{"hello": "world"}'`}</pre>
    </SecretDialog>
  );
}
