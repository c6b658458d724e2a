import { useState } from "react";
import { addDocumentFromUrl, useDocumentMutation } from "../../api/documents.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Adds a document from the web. */
export function UrlDialog({ tags, onClose }: { tags: readonly string[]; onClose: () => void }) {
  const [url, setUrl] = useState("");
  const add = useDocumentMutation(() => addDocumentFromUrl(url.trim(), tags), onClose);
  return (
    <FormDialog
      title="Add from URL"
      onClose={onClose}
      action={add}
      submit={add.isPending ? "Fetching …" : "Add"}
    >
      <TextField
        label="URL"
        type="url"
        required
        value={url}
        onChange={setUrl}
        placeholder="https://example.org/handbook.html"
        hint="A web page or a file. It is fetched once; later changes are not followed."
      />
    </FormDialog>
  );
}
