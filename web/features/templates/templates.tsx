import { Trash2 } from "lucide-react";
import { deleteTemplate, useTemplateMutation, useTemplates } from "../../api/templates.ts";
import type { Template } from "../../api/types.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { TransferMenu } from "../transfers/transfer-menu.tsx";
import { StarterCard } from "../workflows/starter-card.tsx";

export function Templates() {
  const templates = useTemplates();
  return (
    <Screen title="Templates">
      <div className="page">
        <Loaded query={templates}>
          {(list) => (
            <>
              <section className="stack">
                <h2>Starters</h2>
                <div className="grid">
                  {list
                    .filter((template) => template.builtIn)
                    .map((template) => (
                      <StarterCard key={template.id} template={template} />
                    ))}
                </div>
              </section>
              <OwnTemplates list={list.filter((template) => !template.builtIn)} />
            </>
          )}
        </Loaded>
      </div>
    </Screen>
  );
}

function OwnTemplates({ list }: { list: Template[] }) {
  const remove = useTemplateMutation(deleteTemplate);
  return (
    <section className="stack">
      <h2>Your templates</h2>
      {list.length === 0 ? (
        <Empty title="You have no templates yet">
          Templates that you register through the API are listed here.
        </Empty>
      ) : (
        <div className="grid">
          {list.map((template) => (
            <div key={template.id} className="stack tight">
              <StarterCard template={template} />
              <div className="row">
                <ConfirmButton
                  className="btn ghost tiny danger"
                  question={`Delete “${template.name}”?`}
                  consequence="Workflows created from it are kept."
                  confirm="Delete"
                  may="deleteTemplate"
                  onConfirm={() => remove.mutateAsync(template.id)}
                >
                  <Trash2 size={13} /> Delete {template.name}
                </ConfirmButton>
                <TransferMenu record={{ kind: "template", id: template.id, name: template.name }} />
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
