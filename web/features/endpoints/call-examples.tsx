import { useState } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { callExamples } from "./call-texts.ts";

export function CallExamples({ address, withKey }: { address: string; withKey: boolean }) {
  const examples = callExamples(address, withKey);
  const [chosen, setChosen] = useState<keyof typeof examples>("curl");
  return (
    <section className="stack tight" aria-label="How to call it">
      <div className="row">
        <div className="tabs grow" role="tablist" aria-label="Language">
          {(Object.keys(examples) as (keyof typeof examples)[]).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={chosen === name}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={examples[chosen]} />
      </div>
      <pre className="code" role="tabpanel" aria-label={chosen} tabIndex={0}>
        {examples[chosen]}
      </pre>
    </section>
  );
}
