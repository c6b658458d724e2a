import { Download } from "lucide-react";
import { useState } from "react";
import { downloadValue, isLargeValue } from "../../api/large-values.ts";
import { JsonView } from "../../ui/json-view.tsx";

/** A value of a run. The service leaves a large one out of its response; the user can download it. */
export function StoredValue({ value }: { value: unknown }) {
  const [problem, setProblem] = useState<string>();
  if (!isLargeValue(value)) return <JsonView value={value} />;
  const { bytes, url } = value;
  return (
    <div className="row wrap">
      <span className="small muted">Too large to show ({(bytes / 1_000_000).toFixed(1)} MB).</span>
      <button
        type="button"
        className="btn tiny"
        onClick={() => {
          setProblem(undefined);
          downloadValue(url).catch((error: Error) => setProblem(error.message));
        }}
      >
        <Download size={13} /> Download
      </button>
      {problem !== undefined && (
        <span className="small" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
