import { useState } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";

export function CallExamples({ url, withKey }: { url: string; withKey: boolean }) {
  const examples = callExamples(url, withKey);
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

/** The same call in three languages, ready to paste. The key is read from the environment. */
function callExamples(url: string, withKey: boolean): Record<"curl" | "JavaScript" | "Python", string> {
  const curlKey = withKey ? `  -H "Authorization: Bearer $BATON_KEY" \\\n` : "";
  const scriptKey = withKey ? `\n    authorization: \`Bearer \${process.env.BATON_KEY}\`,` : "";
  const pythonHead = withKey ? "import os\nimport requests" : "import requests";
  const pythonKey = withKey ? `\n    headers={"Authorization": f"Bearer {os.environ['BATON_KEY']}"},` : "";
  return {
    curl: `curl -X POST ${url} \\\n${curlKey}  -H "Content-Type: application/json" \\\n  -d '{"input": {"name": "Ada"}}'`,
    JavaScript: `const response = await fetch("${url}", {\n  method: "POST",\n  headers: {\n    "content-type": "application/json",${scriptKey}\n  },\n  body: JSON.stringify({ input: { name: "Ada" } }),\n});\nconsole.log(await response.json());`,
    Python: `${pythonHead}\n\nresponse = requests.post(\n    "${url}",${pythonKey}\n    json={"input": {"name": "Ada"}},\n)\nprint(response.json())`,
  };
}
