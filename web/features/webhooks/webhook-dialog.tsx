import { useState } from "react";
import {
  createWebhook,
  type SignatureScheme,
  updateWebhook,
  useWebhookMutation,
  type Webhook,
} from "../../api/webhooks.ts";
import { CopyButton, ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";

// Said here and not imported: the schemas' module would bring all of zod into this screen.
const schemes = (["github", "stripe", "slack", "standard", "hmac"] satisfies SignatureScheme[]).map(
  (scheme) => ({ value: scheme, label: scheme }),
);

type Saved = Webhook & { secret?: string };

/** Makes a webhook, or changes one. Its secret is shown once, when it is made. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const [name, setName] = useState(webhook?.name ?? "");
  const [source, setSource] = useState(webhook?.source ?? "");
  const [workflowId, setWorkflowId] = useState(webhook?.workflowId ?? "");
  const [scheme, setScheme] = useState<SignatureScheme | "">(webhook?.signature?.scheme ?? "");
  const [header, setHeader] = useState(webhook?.signature?.header ?? "");
  const [signingSecret, setSigningSecret] = useState("");
  const isKept = scheme !== "" && scheme === webhook?.signature?.scheme && signingSecret === "";
  const save = useWebhookMutation(
    (): Promise<Saved> => {
      const signature =
        scheme === ""
          ? null
          : { scheme, secret: signingSecret, ...(scheme === "hmac" && header !== "" ? { header } : {}) };
      const body = { name: name || source, source, workflowId, ...(isKept ? {} : { signature }) };
      return webhook === undefined ? createWebhook(body) : updateWebhook(webhook.id, body);
    },
    (saved) => saved.secret === undefined && onClose(),
  );
  const made = save.data;
  if (made?.secret !== undefined) return <NewWebhook webhook={made} secret={made.secret} onClose={onClose} />;
  return (
    <FormDialog
      title={webhook === undefined ? "New webhook" : `Change “${webhook.name}”`}
      onClose={onClose}
      action={save}
      submit={webhook === undefined ? "Make the webhook" : "Save"}
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
            ? `The address changes with it: the sender has to call /webhook/${source} from now on.`
            : "The word in its address: /webhook/github"
        }
      />
      <TextField label="Name" value={name} onChange={setName} hint="What you call it; may stay empty." />
      <WorkflowSelect
        none="Choose what each call starts"
        required
        value={workflowId}
        onChange={setWorkflowId}
      />
      <SelectField
        label="Signature"
        hint="When the sender signs its calls, its signature may stand in for the secret."
        none="None: the secret alone"
        options={schemes}
        value={scheme}
        onChange={(value) => setScheme(value as SignatureScheme | "")}
      />
      {scheme === "hmac" && (
        <TextField
          label="Header of the signature"
          mono
          value={header}
          onChange={setHeader}
          placeholder="x-signature"
        />
      )}
      {scheme !== "" && (
        <TextField
          label="The sender’s signing secret"
          type="password"
          required={scheme !== webhook?.signature?.scheme || header !== (webhook.signature.header ?? "")}
          autoComplete="off"
          value={signingSecret}
          onChange={setSigningSecret}
          hint={scheme === webhook?.signature?.scheme ? "Leave it empty, and it stays as it is." : undefined}
        />
      )}
    </FormDialog>
  );
}

function NewWebhook({ webhook, secret, onClose }: { webhook: Webhook; secret: string; onClose: () => void }) {
  return (
    <Dialog title="Your new webhook" onClose={onClose}>
      <div className="row">
        <code className="code grow ellipsis">{webhook.url}</code>
        <CopyButton text={webhook.url} />
      </div>
      <ShownOnce label="Secret (header x-webhook-secret)" value={secret} />
      <pre className="code">{`curl -X POST ${webhook.url} \\\n  -H "x-webhook-secret: $SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '{"hello": "world"}'`}</pre>
      <div className="actions">
        <button type="button" className="btn go" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
