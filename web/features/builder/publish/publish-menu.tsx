import { ChevronDown } from "lucide-react";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { LazyPopover } from "../../../ui/lazy-popover.tsx";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import type { BuilderState } from "../use-builder.ts";
import "./publish.css";

const PublishForm = lazyComponent(() => import("./publish-form.tsx"), "PublishForm");

/** The button that makes the draft live, with everything to know before. */
export function PublishMenu({ builder }: { builder: BuilderState }) {
  const { panel, openPanel, closePanel } = builder;
  const isOpen = panel === "publish";
  useShortcuts({
    "shift+mod+p": (event) => {
      event.preventDefault();
      openPanel("publish");
    },
  });
  return (
    <LazyPopover
      label="Publish"
      open={isOpen}
      onOpenChange={(open) => (open ? openPanel("publish") : closePanel())}
      className="publish-popover"
      trigger={
        <button type="button" className="btn go publish-button">
          Publish <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      {/* Suspends the popover too, so that the focus moves into the form when both are there. */}
      <PublishForm builder={builder} />
    </LazyPopover>
  );
}
