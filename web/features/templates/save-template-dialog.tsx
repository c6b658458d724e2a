import { useLocation } from "wouter";
import { saveAsTemplate } from "../../api/templates.ts";
import { showToast } from "../../ui/toasts.tsx";
import { TemplateTextsDialog } from "./template-texts-dialog.tsx";

interface SaveTemplateDialogProps {
  workflow: { id: string; name: string; description?: string };
  onClose: () => void;
}

/** Keeps a workflow as a template of the workspace. */
export function SaveTemplateDialog({ workflow, onClose }: SaveTemplateDialogProps) {
  const { id, name, description = "" } = workflow;
  const [, navigate] = useLocation();
  return (
    <TemplateTextsDialog
      title="Save as template"
      submit="Save template"
      texts={{ name, description }}
      save={(texts) => saveAsTemplate(id, texts)}
      onSaved={(saved) =>
        showToast(`“${saved.name}” is in Templates now.`, {
          action: { label: "Show", run: () => navigate("/templates?show=own") },
        })
      }
      onClose={onClose}
    >
      <p className="small muted">
        The template has the steps, the settings and the versions as they are now. Later changes of the
        workflow do not change it. It has no secrets of the workspace, but what is written into steps.
      </p>
    </TemplateTextsDialog>
  );
}
