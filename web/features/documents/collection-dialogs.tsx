import { useState } from "react";
import {
  type CollectionView,
  createCollection,
  createUploadKey,
  deleteCollection,
  revokeUploadKey,
  updateCollection,
  useCollectionMutation,
} from "../../api/collections.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { splitCommas } from "../../ui/split-commas.ts";
import { Failure } from "../../ui/states.tsx";

interface NameDialogProps {
  /** Unset: a new collection. */
  collection?: CollectionView;
  onDone: (id: string) => void;
  onClose: () => void;
}

export function NameDialog({ collection, onDone, onClose }: NameDialogProps) {
  const [name, setName] = useState(collection?.name ?? "");
  const save = useCollectionMutation(
    (_input: undefined) =>
      collection === undefined
        ? createCollection(name)
        : updateCollection(collection.collection_id, { name }),
    ({ collection_id: id }) => {
      onClose();
      onDone(id);
    },
  );
  return (
    <FormDialog
      title={collection === undefined ? "New collection" : `Rename “${collection.name}”`}
      onClose={onClose}
      action={save}
      submit={collection === undefined ? "Create" : "Save"}
      ready={name.trim() !== ""}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Contracts" required />
    </FormDialog>
  );
}

export function ShareDialog({ collection, onClose }: { collection: CollectionView; onClose: () => void }) {
  const [everyone, setEveryone] = useState(collection.shared_with?.everyone ?? false);
  const [emails, setEmails] = useState((collection.shared_with?.emails ?? []).join(", "));
  const save = useCollectionMutation(
    (_input: undefined) =>
      updateCollection(collection.collection_id, { shared_with: { everyone, emails: splitCommas(emails) } }),
    onClose,
  );
  return (
    <FormDialog title={`Share “${collection.name}”`} onClose={onClose} action={save} submit="Save">
      <p className="small muted">Readers see and ask the documents. They cannot change anything.</p>
      <label className="row small">
        <input type="checkbox" checked={everyone} onChange={(event) => setEveryone(event.target.checked)} />
        Everyone with an account on this instance
      </label>
      <TextField
        label="People"
        value={emails}
        onChange={setEmails}
        placeholder="ann@example.com"
        hint="Email addresses of accounts, comma-separated"
      />
    </FormDialog>
  );
}

interface UploadAddressDialogProps {
  collection: CollectionView;
  onClose: () => void;
}

/** Creates, replaces or revokes the key with which others send documents. The key is shown once. */
export function UploadAddressDialog({ collection, onClose }: UploadAddressDialogProps) {
  const { collection_id: id, name, has_upload_key: hasKey } = collection;
  const create = useCollectionMutation((_input: undefined) => createUploadKey(id));
  const revoke = useCollectionMutation((_input: undefined) => revokeUploadKey(id), onClose);
  if (create.data !== undefined)
    return (
      <SecretDialog
        title={`Upload address of “${name}”`}
        label="Upload key"
        value={create.data.upload_key}
        onClose={onClose}
      >
        <p className="small">
          Send files with <code>POST</code> to <code className="upload-url">{create.data.upload_url}</code>{" "}
          and the key in the header <code>x-upload-key</code>.
        </p>
      </SecretDialog>
    );
  return (
    <Dialog title={`Upload address of “${name}”`} onClose={onClose}>
      <p>
        Other programs can send documents to this collection with a key. The key can do nothing else.
        {hasKey && " A new key replaces the present one at once."}
      </p>
      {(create.error ?? revoke.error) !== null && <Failure error={create.error ?? revoke.error} />}
      <div className="actions">
        {hasKey && (
          <button
            type="button"
            className="btn danger"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(undefined)}
          >
            Revoke key
          </button>
        )}
        <button
          type="button"
          className="btn go"
          disabled={create.isPending}
          onClick={() => create.mutate(undefined)}
        >
          {hasKey ? "Replace key" : "Create key"}
        </button>
      </div>
    </Dialog>
  );
}

interface DeleteCollectionDialogProps {
  collection: CollectionView;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteCollectionDialog({ collection, onDeleted, onClose }: DeleteCollectionDialogProps) {
  const [withDocuments, setWithDocuments] = useState(false);
  const remove = useCollectionMutation(
    (_input: undefined) => deleteCollection(collection.collection_id, withDocuments),
    () => {
      onClose();
      onDeleted();
    },
  );
  return (
    <DeleteDialog name={collection.name} onClose={onClose} action={remove}>
      <p>
        {withDocuments
          ? "The collection and the documents in it are deleted permanently."
          : "The documents in it stay in your library."}
      </p>
      <label className="row small">
        <input
          type="checkbox"
          checked={withDocuments}
          onChange={(event) => setWithDocuments(event.target.checked)}
        />
        Also delete its documents permanently
      </label>
    </DeleteDialog>
  );
}
