import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { importApi, useApiAppMutation } from "../../api/apis.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Segments } from "../../ui/segments.tsx";
import { DocumentText, ServerField } from "./document-fields.tsx";

type Source = "url" | "text";

/** Reads an OpenAPI document from an address, a file or a text. */
export function AddApi({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const [source, setSource] = useState<Source>("url");
  const [url, setUrl] = useState("");
  const [document, setDocument] = useState("");
  const [server, setServer] = useState("");
  const add = useApiAppMutation(
    () =>
      importApi({
        ...(source === "url" ? { url: url.trim() } : { document }),
        ...(server.trim() === "" ? {} : { server: server.trim() }),
      }),
    ({ id }) => onAdded(id),
  );
  // Asked only when the document has no usable one.
  const needsServer = server !== "" || isAboutServer(add.error);
  return (
    <FormDialog
      title="Add an API"
      onClose={onClose}
      action={add}
      submit={add.isPending ? "Reading the document…" : "Add"}
      ready={source === "url" ? url.trim() !== "" : document.trim() !== ""}
    >
      <p className="small muted">OpenAPI 3.0 or 3.1, or Swagger 2.0, as JSON or YAML of up to 16 MB.</p>
      <Segments
        label="Document from"
        value={source}
        onChange={(next) => {
          // The error, and the server that it asked for, belong to the other document.
          add.reset();
          setServer("");
          setSource(next);
        }}
        options={[
          { value: "url", label: "URL" },
          { value: "text", label: "File or text" },
        ]}
      />
      {source === "url" ? (
        <TextField
          label="URL of the document"
          value={url}
          onChange={setUrl}
          type="url"
          required
          placeholder="https://api.example.com/openapi.json"
        />
      ) : (
        <DocumentText value={document} onChange={setDocument} />
      )}
      {needsServer && <ServerField value={server} onChange={setServer} servers={[]} />}
    </FormDialog>
  );
}

function isAboutServer(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    ((error.code === "unreadable_document" && error.message.includes("names no server")) ||
      (error.code === "egress_denied" && error.message.includes("server of this API")))
  );
}
