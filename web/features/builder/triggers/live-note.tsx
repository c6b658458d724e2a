import type { BuilderState } from "../use-builder.ts";

/** Says which version the trigger starts: settings of a trigger apply at once, steps and fields after Publish. */
export function LiveNote({ builder }: { builder: BuilderState }) {
  const { workflow } = builder;
  return (
    <p className="small muted live-note">
      <span className="chip ok dot">Live v{workflow.version}</span>
      Changes of steps and fields apply after Publish.
    </p>
  );
}
