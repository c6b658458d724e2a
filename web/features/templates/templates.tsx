import { FileInput, Upload } from "lucide-react";
import { useRef } from "react";
import { Link, useLocation } from "wouter";
import { addTemplate, useTemplateMutation, useTemplates } from "../../api/templates.ts";
import type { Template } from "../../api/types.ts";
import { IMPORT_N8N_PATH, n8nStateOf } from "../../flow/n8n-import-link.ts";
import { needsSetup } from "../../flow/template-needs.ts";
import { Allowed } from "../../ui/allowed.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { StarterCard } from "../workflows/starter-card.tsx";
import { OwnTemplateMenu } from "./own-template-menu.tsx";
import "./templates.css";

type Show = "all" | "ready" | "own";

const SHOWN: Readonly<Record<Show, (template: Template) => boolean>> = {
  all: () => true,
  ready: (template) => !needsSetup(template),
  own: ({ builtIn }) => !builtIn,
};

/** Find a template by its words, then preview it, or run it when it needs no setup. */
export function Templates() {
  const templates = useTemplates();
  const [search, setSearch] = useFilter("search");
  const [filter, setFilter] = useFilter("show");
  const show: Show = filter === "ready" || filter === "own" ? filter : "all";
  const countOf = (which: Show): number => (templates.data ?? []).filter(SHOWN[which]).length;
  return (
    <Screen title="Templates" actions={<AddFromFile />}>
      <div className="page">
        <Loaded query={templates}>
          {(list) => (
            <>
              <div className="row wrap">
                <input
                  className="in template-search"
                  type="search"
                  aria-label="Search templates"
                  placeholder="Search templates"
                  value={search}
                  onChange={(event) => setSearch(event.target.value)}
                />
                <Segments
                  label="Show"
                  value={show}
                  onChange={(value) => setFilter(value === "all" ? "" : value)}
                  options={[
                    { value: "all", label: `All ${countOf("all")}` },
                    { value: "ready", label: `No setup ${countOf("ready")}` },
                    { value: "own", label: `Yours ${countOf("own")}` },
                  ]}
                />
              </div>
              <Found list={list.filter(SHOWN[show]).filter((one) => isFound(one, search))} show={show} />
            </>
          )}
        </Loaded>
      </div>
    </Screen>
  );
}

function Found({ list, show }: { list: Template[]; show: Show }) {
  if (list.length > 0)
    return (
      <div className="grid">
        {list.map((template) =>
          template.builtIn ? (
            <StarterCard key={template.id} template={template} />
          ) : (
            <OwnTemplate key={template.id} template={template} />
          ),
        )}
      </div>
    );
  return show === "own" ? (
    <Empty title="No templates of yours">
      “Save as template” in the menu of a workflow adds one. A file that “Export” created is added above.
    </Empty>
  ) : (
    <Empty title="No template found">Try another word: the names of steps and apps are searched, too.</Empty>
  );
}

/** Every word is in the name, the description, the category or a step. */
function isFound({ name, description, category, steps }: Template, search: string): boolean {
  const titles = steps.map((step) => [step["name"], step.type, step["app"]].join(" "));
  const text = [name, description, category, ...titles].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function OwnTemplate({ template }: { template: Template }) {
  return (
    <div className="own-template">
      <StarterCard template={template} />
      <OwnTemplateMenu template={template} />
    </div>
  );
}

function AddFromFile() {
  const picker = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  const add = useTemplateMutation(async (file: File) => {
    // A workflow of n8n is no template, but people look for its import here.
    const state = n8nStateOf(await file.text(), file.name);
    if (state === undefined) await addTemplate(file);
    else navigate(IMPORT_N8N_PATH, { state });
  });
  return (
    <Allowed to="createTemplate">
      {add.error !== null && <Failure error={add.error} />}
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Template file"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file !== undefined) add.mutate(file);
        }}
      />
      <button type="button" className="btn" disabled={add.isPending} onClick={() => picker.current?.click()}>
        <Upload size={15} /> Add from file
      </button>
      <Link href={IMPORT_N8N_PATH} className="btn wide-only">
        <FileInput size={15} /> Import from n8n
      </Link>
    </Allowed>
  );
}
