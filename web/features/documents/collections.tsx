import { Folder, FolderPlus, Link, MoreHorizontal, Pencil, Share2, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { CollectionView } from "../../api/collections.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LazyMenu } from "../../ui/lazy-menu.tsx";
import { Allowed } from "../../ui/allowed.tsx";

const load = () => import("./collection-dialogs.tsx");
// Opened from buttons and menus: the screen does not carry them.
const NameDialog = lazyComponent(async () => ({ NameDialog: (await load()).NameDialog }), "NameDialog");
const ShareDialog = lazyComponent(async () => ({ ShareDialog: (await load()).ShareDialog }), "ShareDialog");
const UploadAddressDialog = lazyComponent(
  async () => ({ UploadAddressDialog: (await load()).UploadAddressDialog }),
  "UploadAddressDialog",
);
const DeleteCollectionDialog = lazyComponent(
  async () => ({ DeleteCollectionDialog: (await load()).DeleteCollectionDialog }),
  "DeleteCollectionDialog",
);

interface CollectionsProps {
  collections: readonly CollectionView[];
  /** The id of the open collection; empty for all documents. */
  open: string;
  onOpen: (id: string) => void;
}

/** The collections as buttons: the pressed one limits the list below and the question above. */
export function Collections({ collections, open, onOpen }: CollectionsProps) {
  const [isCreating, setCreating] = useState(false);
  const current = collections.find(({ collection_id }) => collection_id === open);
  return (
    <div className="row wrap collections" role="group" aria-label="Collections">
      <button type="button" className="btn tiny" aria-pressed={open === ""} onClick={() => onOpen("")}>
        All documents
      </button>
      {collections.map(({ collection_id: id, name, documents, access, owner_name: owner }) => (
        <button
          key={id}
          type="button"
          className="btn tiny"
          aria-pressed={open === id}
          title={access === "reader" ? `Shared by ${owner}` : undefined}
          onClick={() => onOpen(id)}
        >
          <Folder size={13} /> {name} <span className="muted">{documents}</span>
          {access === "reader" && <span className="muted"> · shared</span>}
        </button>
      ))}
      <Allowed to="createCollection">
        <button type="button" className="btn tiny ghost" onClick={() => setCreating(true)}>
          <FolderPlus size={13} /> New collection
        </button>
      </Allowed>
      {current?.access === "owner" && <CollectionMenu collection={current} onDeleted={() => onOpen("")} />}
      {isCreating && (
        <Suspense fallback={null}>
          <NameDialog onDone={onOpen} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </div>
  );
}

function CollectionMenu({ collection, onDeleted }: { collection: CollectionView; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<"name" | "share" | "address" | "delete">();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <LazyMenu
        trigger={
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Actions of collection ${collection.name}`}
          >
            <MoreHorizontal size={15} />
          </button>
        }
        groups={[
          [
            {
              label: "Rename",
              may: "updateCollection",
              icon: <Pencil size={14} />,
              onSelect: () => setDialog("name"),
            },
            {
              label: "Share",
              may: "updateCollection",
              icon: <Share2 size={14} />,
              onSelect: () => setDialog("share"),
            },
            {
              label: "Upload address",
              may: "createUploadKey",
              icon: <Link size={14} />,
              onSelect: () => setDialog("address"),
            },
            {
              label: "Delete",
              may: "deleteCollection",
              icon: <Trash2 size={14} />,
              onSelect: () => setDialog("delete"),
            },
          ],
        ]}
      />
      <Suspense fallback={null}>
        {dialog === "name" && <NameDialog collection={collection} onDone={close} onClose={close} />}
        {dialog === "share" && <ShareDialog collection={collection} onClose={close} />}
        {dialog === "address" && <UploadAddressDialog collection={collection} onClose={close} />}
        {dialog === "delete" && (
          <DeleteCollectionDialog collection={collection} onDeleted={onDeleted} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
