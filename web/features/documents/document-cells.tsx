import { FolderMinus, Tag } from "lucide-react";
import { type CollectionView, removeFromCollection } from "../../api/collections.ts";
import { deleteDocument, type DocumentView, useDocumentMutation } from "../../api/documents.ts";
import { useMay } from "../../api/permissions.ts";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { TransferMenu } from "../transfers/transfer-menu.tsx";

interface DocumentTitleProps {
  document: DocumentView;
  onOpen: (document: DocumentView) => void;
  onTag: (tag: string) => void;
}

/** The title, the tags and, of a document that could not be read, the error. */
export function DocumentTitle({ document, onOpen, onTag }: DocumentTitleProps) {
  return (
    <>
      <button type="button" className="link" onClick={() => onOpen(document)}>
        {document.title}
      </button>{" "}
      {document.tags.map((name) => (
        <button
          key={name}
          type="button"
          className="tag"
          title={`Show “${name}” only`}
          onClick={() => onTag(name)}
        >
          {name}
        </button>
      ))}
      {document.error !== null && <p className="small">{document.error.message}</p>}
    </>
  );
}

interface DocumentActionsProps {
  document: DocumentView;
  /** The open one; undefined for all documents. */
  collection: CollectionView | undefined;
  onEditTags: () => void;
  /** Runs a change of the collection and shows its error. */
  onMove: (change: () => Promise<void>) => void;
  onDeleted: (id: string) => void;
}

export function DocumentActions(props: DocumentActionsProps) {
  const { document, collection, onEditTags, onMove, onDeleted } = props;
  const { document_id: id, title } = document;
  const may = useMay();
  const remove = useDocumentMutation(async () => {
    await deleteDocument(id);
    onDeleted(id);
  });
  return (
    <>
      {may("updateDocument") && (
        <button
          type="button"
          className="btn ghost icon"
          aria-label={`Edit tags of ${title}`}
          title="Edit tags"
          onClick={onEditTags}
        >
          <Tag size={15} />
        </button>
      )}
      {collection !== undefined && may("removeDocumentFromCollection") && (
        <button
          type="button"
          className="btn ghost icon"
          aria-label={`Take ${title} out of the collection`}
          title="Take out of the collection"
          onClick={() => onMove(() => removeFromCollection(collection.collection_id, id))}
        >
          <FolderMinus size={15} />
        </button>
      )}
      <DeleteButton
        may="deleteDocument"
        label={`Delete ${title}`}
        question={`Delete “${title}”?`}
        consequence="The file and its index are deleted permanently."
        onConfirm={() => remove.mutateAsync(undefined)}
      />
      {document.status === "indexed" && <TransferMenu record={{ kind: "document", id, name: title }} />}
    </>
  );
}
