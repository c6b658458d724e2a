import { MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { deleteTemplate, updateTemplate, useTemplateMutation } from "../../api/templates.ts";
import type { Template } from "../../api/types.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { LazyMenu } from "../../ui/lazy-menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { TransferDialog, useTransferItem } from "../transfers/transfer-menu.tsx";
import { TemplateTextsDialog } from "./template-texts-dialog.tsx";

interface OwnTemplateMenuProps {
  template: Template;
  /** Called when the template is no longer in the workspace. */
  onGone?: () => void;
}

/** What can be done with a template of the workspace besides using it. */
export function OwnTemplateMenu({ template, onGone }: OwnTemplateMenuProps) {
  const { id, name, description } = template;
  const [dialog, setDialog] = useState<"rename" | "transfer" | "delete">();
  const close = (): void => setDialog(undefined);
  const remove = useTemplateMutation(
    () => deleteTemplate(id),
    () => {
      close();
      showToast(`“${name}” was deleted.`);
      onGone?.();
    },
  );
  const transfer = useTransferItem(() => setDialog("transfer"));
  return (
    <>
      <LazyMenu
        trigger={
          <button type="button" className="btn ghost icon" aria-label={`Actions of ${name}`}>
            <MoreHorizontal size={15} />
          </button>
        }
        groups={[
          [
            {
              label: "Rename …",
              icon: <Pencil size={14} />,
              may: "updateTemplate",
              onSelect: () => setDialog("rename"),
            },
            ...transfer,
          ],
          [
            {
              label: "Delete …",
              icon: <Trash2 size={14} />,
              may: "deleteTemplate",
              danger: true,
              onSelect: () => setDialog("delete"),
            },
          ],
        ]}
      />
      {dialog === "rename" && (
        <TemplateTextsDialog
          title="Rename template"
          submit="Save"
          texts={{ name, description }}
          save={(texts) => updateTemplate(id, texts)}
          onSaved={() => showToast("Saved.")}
          onClose={close}
        />
      )}
      {dialog === "delete" && (
        <DeleteDialog name={name} onClose={close} action={remove}>
          <p>Workflows created from it are kept.</p>
        </DeleteDialog>
      )}
      <Suspense fallback={null}>
        {dialog === "transfer" && (
          <TransferDialog
            record={{ kind: "template", id, name }}
            onClose={(isGone) => {
              close();
              if (isGone) onGone?.();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
