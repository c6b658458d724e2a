import { useState } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";

interface CallExamplesProps {
  url: string;
  withKey: boolean;
  /** A sample of the input fields. */
  input: Record<string, unknown>;
}

export function CallExamples({ url, withKey, input }: CallExamplesProps) {
  const examples = callExamples(url, withKey, JSON.stringify({ input }));
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
function callExamples(
  url: string,
  withKey: boolean,
  body: string,
): Record<"curl" | "JavaScript" | "Python", string> {
  const curlKey = withKey ? `  -H "Authorization: Bearer $BATON_KEY" \\\n` : "";
  const scriptKey = withKey ? `\n    authorization: \`Bearer \${process.env.BATON_KEY}\`,` : "";
  const pythonHead = withKey ? "import json\nimport os\nimport requests" : "import json\nimport requests";
  const pythonKey = withKey ? `\n    headers={"Authorization": f"Bearer {os.environ['BATON_KEY']}"},` : "";
  return {
    curl: `curl -X POST ${url} \\\n${curlKey}  -H "Content-Type: application/json" \\\n  -d '${body.replaceAll("'", "'\\''")}'`,
    JavaScript: `const response = await fetch("${url}", {\n  method: "POST",\n  headers: {\n    "content-type": "application/json",${scriptKey}\n  },\n  body: JSON.stringify(${body}),\n});\nconsole.log(await response.json());`,
    Python: `${pythonHead}\n\nresponse = requests.post(\n    "${url}",${pythonKey}\n    json=json.loads(${JSON.stringify(body)}),\n)\nprint(response.json())`,
  };
}
