import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useConnections } from "../../api/connections.ts";
import { useN8nPreview } from "../../api/n8n-import.ts";
import { connectionsOfNodes, n8nNeeds, presetN8nConnections } from "../../flow/n8n-needs.ts";
import { IMPORT_N8N_PATH, type N8nFile } from "../../flow/n8n-import-link.ts";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { ConnectionChoices } from "./connection-choices.tsx";
import { ImportStages } from "./import-stages.tsx";
import { ReviewScreen } from "./review-screen.tsx";

const NONE: Readonly<Record<string, string>> = {};

/** What every node of the file becomes with the chosen connections. */
export function N8nReview({ file }: { file: N8nFile }) {
  const known = useConnections().data;
  // The empty text is a connection that was deselected.
  const [picked, setPicked] = useState(NONE);
  const plain = useN8nPreview(file, NONE);
  const needs = useMemo(() => n8nNeeds(plain.data?.nodes ?? []), [plain.data]);
  const chosen = { ...presetN8nConnections(needs, known ?? []), ...picked };
  const connections = connectionsOfNodes(needs, chosen);
  const preview = useN8nPreview(file, connections);
  if (preview.data === undefined)
    return (
      <Screen
        title="Import from n8n"
        breadcrumbs={
          <>
            <Link href="/workflows">Workflows</Link> /
          </>
        }
        center={<ImportStages stage="Review" />}
        actions={
          <Link href={IMPORT_N8N_PATH} className="btn">
            Choose another file
          </Link>
        }
      >
        <div className="page">
          <Loaded query={preview} rows={6}>
            {() => null}
          </Loaded>
        </div>
      </Screen>
    );
  return (
    <ReviewScreen
      file={file}
      preview={preview.data}
      connections={connections}
      connectionName={(id) => known?.find((one) => one.id === id)?.name ?? "chosen"}
      connectionChoices={
        needs.length > 0 && (
          <ConnectionChoices
            needs={needs}
            chosen={chosen}
            onChoose={(key, id = "") => setPicked({ ...picked, [key]: id })}
          />
        )
      }
    />
  );
}
