import { CopyButton } from "../../ui/copy-button.tsx";

/** Must be entered at the service exactly so. */
export function CopiedValue({ label, value }: { label: string; value: string }) {
  return (
    <div className="stack tight">
      <div className="row">
        <b className="small grow">{label}</b>
        <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <code className="code breakable">{value}</code>
    </div>
  );
}
