import { useState } from "react";
import { useKeyPages } from "../../api/keys.ts";
import { NewButton } from "../../ui/new-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { ServiceAccounts } from "./service-accounts.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

/** The API keys of the workspace and the service accounts that keys act as. */
export function ApiKeys() {
  /** The service account of the new key; empty for the person. */
  const [creatingFor, setCreatingFor] = useState<string>();
  const [rawKey, setRawKey] = useState<string>();
  const keys = useKeyPages();
  return (
    <Screen
      title="Settings"
      actions={
        <NewButton may="createApiKey" onClick={() => setCreatingFor("")}>
          New API key
        </NewButton>
      }
    >
      <div className="page">
        <SettingsTabs />
        <section className="stack" aria-label="API keys">
          <KeyTable keys={keys} />
        </section>
        <ServiceAccounts onNewKey={setCreatingFor} />
      </div>
      {creatingFor !== undefined && (
        <NewKeyDialog
          serviceAccountId={creatingFor}
          onClose={() => setCreatingFor(undefined)}
          onCreated={(created) => {
            setCreatingFor(undefined);
            setRawKey(created);
          }}
        />
      )}
      {rawKey !== undefined && (
        <SecretDialog
          title="New API key"
          label="API key"
          value={rawKey}
          onClose={() => setRawKey(undefined)}
        />
      )}
    </Screen>
  );
}
