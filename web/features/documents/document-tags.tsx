import { useState } from "react";
import { type DocumentView, saveDocumentTags, useDocumentMutation } from "../../api/documents.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TagField } from "../../ui/tag-field.tsx";

interface DocumentTagsProps {
  document: DocumentView;
  /** The tags of all documents. */
  known: readonly string[];
  onClose: () => void;
}

export function DocumentTags({ document, known, onClose }: DocumentTagsProps) {
  const [tags, setTags] = useState<readonly string[]>(document.tags);
  const save = useDocumentMutation(() => saveDocumentTags(document.document_id, tags), onClose);
  return (
    <FormDialog title={`Tags of “${document.title}”`} onClose={onClose} action={save} submit="Save">
      <TagField label="Tags" tags={tags} onChange={setTags} known={known} />
    </FormDialog>
  );
}
