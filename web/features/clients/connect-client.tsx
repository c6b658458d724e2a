import { Link } from "wouter";
import { useAllExposures } from "../../api/exposures.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { type ClientSettings, clientSettings, KEY_PLACEHOLDER } from "./client-settings.ts";
import { PROTOCOL_TITLES } from "./protocol-titles.ts";

/** Settings to paste into a client. */
export function ConnectClient() {
  const exposures = useAllExposures();
  const [chosen, setChosen] = useFilter("client");
  return (
    <Loaded query={exposures}>
      {(all) => {
        const clients = clientSettings({ origin: location.origin, exposures: all });
        const client = clients.find(({ id }) => id === chosen) ?? clients[0]!;
        return (
          <Tabs
            label="Client"
            value={client.id}
            onChange={setChosen}
            tabs={clients.map(({ id, title }) => ({ value: id, label: title }))}
            className="client-tabs"
          >
            <Instructions client={client} isEmpty={!all.some((exposure) => exposure[client.protocol])} />
          </Tabs>
        );
      }}
    </Loaded>
  );
}

function Instructions({ client, isEmpty }: { client: ClientSettings; isEmpty: boolean }) {
  const { protocol, steps, blocks, usesKey } = client;
  return (
    <div className="card pad stack">
      {isEmpty && (
        <p className="notice wait">
          <span className="grow">Nothing is switched on for {PROTOCOL_TITLES[protocol]} yet.</span>
          <Link href="/clients" className="btn tiny">
            Switch on
          </Link>
        </p>
      )}
      <ol className="client-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        {usesKey && (
          <li>
            Replace <code>{KEY_PLACEHOLDER}</code> with an <Link href="/settings/api-keys">API key</Link> that
            has the scope {PROTOCOL_TITLES[protocol]}.
          </li>
        )}
      </ol>
      {blocks.map(({ title, text }) => (
        <section key={title} className="stack tight" aria-label={title}>
          <div className="row">
            <h2 className="grow small few-lines breakable">{title}</h2>
            <CopyButton text={text} />
          </div>
          <pre className="code" tabIndex={0} aria-label={title}>
            {text}
          </pre>
        </section>
      ))}
    </div>
  );
}
